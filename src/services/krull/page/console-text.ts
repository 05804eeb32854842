import type { Protocol } from 'puppeteer-core'

type RemoteObject = Protocol.Runtime.RemoteObject

/** What a line of the console would show. */
export const consoleText = (values: readonly RemoteObject[]): string => values.map(textOf).join(' ')

function textOf(value: RemoteObject): string {
  if (value.type === 'string') return String(value.value)
  if (value.unserializableValue !== undefined) return value.unserializableValue
  if (value.preview && value.subtype !== 'error') {
    const inner = value.preview.properties.map(({ name, value: shown }) =>
      value.subtype === 'array' ? shown : `${name}: ${shown}`,
    )
    return value.subtype === 'array' ? `[${inner.join(', ')}]` : `{${inner.join(', ')}}`
  }
  return value.description ?? String(value.value)
}
