import Type, { type TObject } from 'typebox'
import { storeKinds } from '../../stores/index.ts'
import type { StoreType } from '../../stores/store.ts'
import { FileName, fields } from '../fields.ts'

/** What a store of a type must look like, made from its declaration. */
export function storeBody(kind: StoreType): TObject {
  const { configuration, credentials } = kind.schema.properties as {
    configuration: TObject
    credentials: TObject
  }
  return fields({
    type: Type.Literal(kind.type),
    config: fields({
      store: fields({ name: FileName }),
      configuration,
      processors: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 1_048_576 }), {
          maxItems: 100,
          description: 'Reduce stages in text, such as `drop _html`, run over the rows before they leave',
        }),
      ),
      credentials: Type.Optional(credentials),
    }),
  })
}

/** The same as a document for forms, with the paths of what is masked. */
export const describeStores = () =>
  Object.values(storeKinds).map(kind => ({
    type: kind.type,
    title: kind.title,
    schema: { ...storeBody(kind), description: `${kind.help}\n\n${kind.guarantee}` },
    secrets: secretPaths(kind).map(path => `config.credentials.${path.join('.')}`),
  }))

/** Where the secrets of a kind are, below `credentials`. */
export function secretPaths(kind: StoreType): readonly (readonly string[])[] {
  const { credentials } = kind.schema.properties as { credentials: TObject }
  return pathsIn(credentials, [])
}

function pathsIn(schema: TObject, above: readonly string[]): (readonly string[])[] {
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const path = [...above, name]
    const declared = field as { readonly writeOnly?: boolean; readonly properties?: object }
    if (declared.writeOnly) return [path]
    return declared.properties ? pathsIn(field as TObject, path) : []
  })
}
