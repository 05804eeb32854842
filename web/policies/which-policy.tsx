import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, segment } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import type { PolicyVerdict } from '../api/types.ts'
import { DOMAINS } from './path.ts'
import { limitsInWords } from './windows.ts'

/** Asks the server which policy holds for a host. */
export function WhichPolicy() {
  const [host, setHost] = useState('')
  const ask = useMutation({
    mutationFn: (asked: string) =>
      api.post<PolicyVerdict>(`${DOMAINS}/${segment(asked)}/check`, { domainDispatches: [] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (host !== '') ask.mutate(host)
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Which policy holds for"
          placeholder="www.example.com"
          value={host}
          onChange={event => setHost(event.currentTarget.value)}
          style={{ flex: '1 1 200px', maxWidth: 320 }}
        />
        <Button type="submit" variant="default" loading={ask.isPending}>
          Ask
        </Button>
      </Group>
      <Text size="sm" mt={6} role="status" c={ask.isError ? 'var(--mantine-color-error)' : undefined}>
        {ask.isError ? wordsOf(ask.error) : ask.data && answerOf(ask.variables, ask.data)}
      </Text>
    </form>
  )
}

function answerOf(host: string, { policy }: PolicyVerdict): string {
  if (policy === null) return `${host}: none, so there is no limit.`
  const name = policy.name === null ? 'the built-in one' : `“${policy.name}” for ${policy.domain}`
  return `${host}: ${name} – ${limitsInWords(policy.policy)}.`
}
