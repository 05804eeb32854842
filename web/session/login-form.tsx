import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { wordsOf } from '../api/problem.ts'

export interface Login {
  readonly username: string
  readonly password: string
}

interface LoginFormProps {
  /** The word on its button. */
  readonly action: string
  /** A new password is asked for twice. */
  readonly isNew?: boolean
  readonly problem?: string | undefined
  readonly children: ReactNode
  readonly onSubmit: (login: Login) => Promise<void>
}

/** A user name and a password; what the server says against them stands above. */
export function LoginForm({ action, isNew = false, problem, children, onSubmit }: LoginFormProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [submitting, setSubmitting] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isNew && password !== again) return setRefusal('The two passwords differ.')
    setSubmitting(true)
    setRefusal(undefined)
    try {
      await onSubmit({ username, password })
    } catch (error) {
      setRefusal(wordsOf(error))
      setSubmitting(false)
    }
  }

  const shown = refusal ?? problem
  return (
    <form onSubmit={submit}>
      <Stack>
        {shown && (
          <Alert color="red" role="alert" style={{ whiteSpace: 'pre-line' }}>
            {shown}
          </Alert>
        )}
        <TextInput
          label="User name"
          autoComplete="username"
          required
          autoFocus
          value={username}
          onChange={event => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {isNew && (
          <PasswordInput
            label="Password again"
            autoComplete="new-password"
            required
            value={again}
            onChange={event => setAgain(event.currentTarget.value)}
          />
        )}
        <Button type="submit" loading={submitting}>
          {action}
        </Button>
        {children}
      </Stack>
    </form>
  )
}
