import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { untilReachable } from '../api/connection.ts'

/** A component whose code is loaded when it is first shown; should the server be away just then, as soon as it is back. */
export const lazily = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(() =>
    load().catch(async () => {
      await untilReachable()
      return load()
    }),
  )
