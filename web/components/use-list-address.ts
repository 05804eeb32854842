import { useSearchParams } from 'wouter'

/**
 * What a list shows, kept in the address: going back to it, and loading it again, shows the same. Any change but that of
 * the page begins at the first page.
 */
export function useListAddress(size: number) {
  const [parameters, setParameters] = useSearchParams()
  const page = Math.max(1, Math.floor(Number(parameters.get('page'))) || 1)
  const set = (name: string, value: string) =>
    setParameters(
      present => {
        const next = new URLSearchParams(present)
        if (name !== 'page') next.delete('page')
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: name !== 'page' },
    )
  return {
    get: (name: string): string => parameters.get(name) ?? '',
    set,
    page,
    setPage: (next: number) => set('page', next === 1 ? '' : String(next)),
    /** For the server. */
    range: { offset: (page - 1) * size, limit: size },
  }
}
