import type { Json } from '../../language/json.ts'

/** An element as `parseXml` gives it: text, or its attributes and lists of children by name. */
export type XmlElement = Json

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function childrenNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  const found = isObject(element) && Object.hasOwn(element, name) ? element[name] : undefined
  return Array.isArray(found) ? found : []
}

/** An attribute; one of the name of a child is kept under `@`. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (!isObject(element)) return undefined
  const value = [`@${name}`, name].map(key => (Object.hasOwn(element, key) ? element[key] : undefined))
  return value.find(candidate => typeof candidate === 'string') as string | undefined
}

/** The text of an element, undefined when there is none. */
export function textOf(element: XmlElement | undefined): string | undefined {
  const text = isObject(element) ? (element['#text'] ?? element.textContent) : element
  return (typeof text === 'string' && text.trim()) || undefined
}
