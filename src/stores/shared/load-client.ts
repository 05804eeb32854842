import { StoreError } from '../store.ts'

/** Loads a client library on first use, so that a missing one disables one kind of store and nothing else. */
export async function loadClient<T>(type: string, library: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new StoreError(
      'client_missing',
      `The library ${library} cannot be loaded, so stores of type ${type} do not work. Run \`npm install\` where Forage is installed.`,
      { cause },
    )
  }
}
