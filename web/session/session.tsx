import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { api, setCsrfToken, whenSignedOut } from '../api/client.ts'
import { isReachable, onConnectionChange } from '../api/connection.ts'
import { Problem } from '../api/problem.ts'
import type { Session } from '../api/types.ts'
import { forgetDrafts } from '../query/draft.ts'

interface SessionState {
  /** Undefined while we ask; null when nobody is signed in. */
  readonly session: Session | null | undefined
  readonly begin: (session: Session) => void
  readonly signOut: () => Promise<void>
}

const Context = createContext<SessionState | undefined>(undefined)

/** Who is signed in, for everything below. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState<Session | null | undefined>()
  const client = useQueryClient()

  const begin = (started: Session) => {
    setCsrfToken(started.csrfToken)
    setSession(started)
  }
  const end = () => {
    setCsrfToken('')
    setSession(null)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and again whenever the server comes back
  useEffect(() => {
    whenSignedOut(end)
    const ask = () => {
      if (!isReachable()) return
      api.get<Session>('/session').then(begin, error => {
        if (error instanceof Problem) end()
      })
    }
    ask()
    return onConnectionChange(ask)
  }, [])

  const signOut = async () => {
    try {
      await api.delete('/session')
    } catch (error) {
      // One that was over already is no reason to leave anything behind.
      if (!(error instanceof Problem && error.status === 401)) throw error
    }
    forgetDrafts()
    client.clear()
    end()
  }
  return <Context value={{ session, begin, signOut }}>{children}</Context>
}

export function useSession(): SessionState {
  const state = useContext(Context)
  if (state === undefined) throw new Error('useSession is for components below SessionProvider')
  return state
}
