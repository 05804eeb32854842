import { Badge, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Credential, OauthToken } from '../api/types.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { showFailure } from '../components/notices.ts'
import { Time } from '../components/time.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { hasTokens, needsConsent, readConfig } from './config.ts'

interface CredentialRowProps {
  readonly credential: Credential
  /** The type in words. */
  readonly title: string
  readonly token: OauthToken | undefined
  readonly onEdit: () => void
  readonly onDelete: () => void
}

export function CredentialRow({ credential, title, token, onEdit, onDelete }: CredentialRowProps) {
  const { name, type } = credential
  const { hosts } = readConfig(credential)
  const usage = `--credentials.${type} ${/^[\w.-]+$/.test(name) ? name : `"${name}"`}`
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2} maw={340}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Group gap={2} wrap="nowrap">
            <Code>{usage}</Code>
            <CopyButton value={usage} label={`Copy ${usage}`} />
          </Group>
        </Stack>
      </Table.Td>
      <Table.Td>{title}</Table.Td>
      <Table.Td maw={220} style={{ overflowWrap: 'anywhere' }}>
        {hosts.length > 0 ? hosts.join(', ') : 'any'}
      </Table.Td>
      <Table.Td>
        {hasTokens(credential) ? <TokenStatus credential={credential} token={token} /> : '–'}
      </Table.Td>
      <Table.Td>
        <Time at={credential.updatedAt} />
      </Table.Td>
      <RowActions name={name} onEdit={onEdit} onDelete={onDelete}>
        {needsConsent(credential) && <Connect name={name} isConnected={token !== undefined} />}
      </RowActions>
    </Table.Tr>
  )
}

function TokenStatus({
  credential,
  token,
}: {
  readonly credential: Credential
  readonly token: OauthToken | undefined
}) {
  if (token === undefined)
    return (
      <Badge variant="light" color={needsConsent(credential) ? 'orange' : 'gray'} tt="none" miw="max-content">
        {needsConsent(credential) ? 'Not connected' : 'Fetched when needed'}
      </Badge>
    )
  return (
    <Stack gap={2} align="flex-start">
      <Badge variant="light" color="moss" tt="none" miw="max-content">
        {needsConsent(credential) ? 'Connected' : 'Has a token'}
      </Badge>
      <Text size="xs" c="dimmed">
        {token.expiresAt ? (
          <>
            ends <Time at={token.expiresAt} />
          </>
        ) : (
          <>
            since <Time at={token.obtainedAt} />
          </>
        )}
      </Text>
    </Stack>
  )
}

/** Leads to the provider, which leads back to Forage. */
function Connect({ name, isConnected }: { readonly name: string; readonly isConnected: boolean }) {
  const begin = useMutation({
    mutationFn: () => api.post<{ url: string }>('/session/oauth', { credential: name }),
    onSuccess: ({ url }) => location.assign(url),
    onError: showFailure,
  })
  return (
    <Button
      size="compact-sm"
      variant={isConnected ? 'default' : 'filled'}
      leftSection={<IconLink size={14} />}
      loading={begin.isPending || begin.isSuccess}
      aria-label={`${isConnected ? 'Connect again' : 'Connect'} ${name}`}
      onClick={() => begin.mutate()}
    >
      {isConnected ? 'Connect again' : 'Connect'}
    </Button>
  )
}
