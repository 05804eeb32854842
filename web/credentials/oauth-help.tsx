import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import type { OauthMapping } from '../api/types.ts'
import { CopyButton } from '../components/copy-button.tsx'
import type { FormObject } from '../forms/schema.ts'
import { useList } from '../settings/use-list.ts'
import { MAPPINGS } from './path.ts'

/** What a known provider brings along, and the address to register there. */
export function OauthHelp({ value }: { readonly value: FormObject }) {
  const mappings = useList<OauthMapping>(MAPPINGS)
  const known = mappings.data?.items.find(({ provider }) => provider === value.provider)
  const redirect = `${location.origin}/oauth/callback`
  const isByConsent = value.grantType === 'authorization_code'
  if (known === undefined && !isByConsent) return null
  return (
    <Alert color="gray" variant="light">
      <Stack gap={6}>
        {known && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {known.title} is known: tokens come from <Code>{known.tokenUrl}</Code>
            {known.scopes.length > 0 && (
              <>
                , for <Code>{known.scopes[0]}</Code> unless you give another scope
              </>
            )}
            . It takes {known.grantTypes.join(', ')}.
          </Text>
        )}
        {isByConsent && (
          <Group gap={4}>
            <Text size="sm">Register there as the redirect address:</Text>
            <Code>{redirect}</Code>
            <CopyButton value={redirect} label="Copy the redirect address" />
          </Group>
        )}
        {isByConsent && (
          <Text size="sm">After saving, press Connect in the list: the provider asks you for your yes.</Text>
        )}
      </Stack>
    </Alert>
  )
}
