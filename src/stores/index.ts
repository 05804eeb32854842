import http from './http.ts'
import localFile from './localFile.ts'
import sql from './sql.ts'
import type { StoreType } from './store.ts'

/** The kinds of stores that there are, by their type. */
export const storeKinds: Readonly<Record<string, StoreType>> = { http, localFile, sql }
