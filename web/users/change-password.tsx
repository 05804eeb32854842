import { PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { USERS } from './path.ts'

interface ChangePasswordProps {
  readonly username: string
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function ChangePassword({ username, onSaved, onClose }: ChangePasswordProps) {
  const [oldpassword, setOldPassword] = useState('')
  const [password, setPassword] = useState('')
  const save = async () => {
    await api.put(`${USERS}/${segment(username)}`, { credential: { username, password, oldpassword } })
    showDone(`${username} signs in with the new password from now on.`)
    await onSaved()
  }
  return (
    <FormModal
      title={`Change the password of ${username}`}
      action="Change the password"
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <>
          <Text size="sm" c="dimmed">
            It ends every session of {username}: they sign in anew.
          </Text>
          <PasswordInput
            label="Present password"
            required
            data-autofocus
            autoComplete="current-password"
            {...entry(oldpassword, setOldPassword, errorAt(errors, '$.credential.oldpassword'))}
          />
          <PasswordInput
            label="New password"
            required
            autoComplete="new-password"
            {...entry(password, setPassword, errorAt(errors, '$.credential.password'))}
          />
        </>
      )}
    </FormModal>
  )
}
