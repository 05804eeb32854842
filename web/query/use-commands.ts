import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import { api } from '../api/client.ts'

const none: readonly CommandDeclaration[] = []

export const commandsQuery = queryOptions({
  queryKey: ['commands'],
  queryFn: async ({ signal }) =>
    (await api.get<{ items: readonly CommandDeclaration[] }>('/v1/sirp/commands', { signal })).items,
  // They change with the version of Forage, and then the page is loaded anew.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** The declarations of the language's commands; empty until they are here. */
export const useCommands = (): readonly CommandDeclaration[] => useQuery(commandsQuery).data ?? none
