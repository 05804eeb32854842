import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { USERS } from './path.ts'

interface NewUserProps {
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function NewUser({ onSaved, onClose }: NewUserProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const save = async () => {
    await api.post(USERS, { credential: { username, password } })
    await onSaved()
    showDone(`${username} can sign in now.`)
  }
  return (
    <FormModal title="New user" action="Create the user" onSubmit={save} onClose={onClose}>
      {errors => (
        <>
          <TextInput
            label="User name"
            required
            data-autofocus
            autoComplete="off"
            {...entry(username, setUsername, errorAt(errors, '$.credential.username'))}
          />
          <PasswordInput
            label="Password"
            required
            autoComplete="new-password"
            {...entry(password, setPassword, errorAt(errors, '$.credential.password'))}
          />
        </>
      )}
    </FormModal>
  )
}
