import { Card, Modal, SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { QueryRecord, QueryScreenshots } from '../api/types.ts'
import { Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { screenshotAddress, webAddress } from './cells/values.ts'
import styles from './screenshots-tab.module.css'

type Shot = QueryScreenshots['items'][number]

export const queryScreenshots = (id: string) =>
  queryOptions({
    queryKey: ['queries', id, 'screenshots'],
    queryFn: ({ signal }) => api.get<QueryScreenshots>(`/v1/sirp/queries/${id}/screenshots`, { signal }),
  })

/** The pictures that the query took. */
export function ScreenshotsTab({ record }: { readonly record: QueryRecord }) {
  const screenshots = useQuery(queryScreenshots(record.id))
  const [opened, setOpened] = useState<Shot>()
  return (
    <Loaded query={screenshots}>
      {({ items }) => (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
            {items.map(shot => (
              <Card key={`${shot.hash} ${shot.stage} ${shot.at}`} withBorder padding="xs">
                <UnstyledButton onClick={() => setOpened(shot)} aria-label={`Enlarge ${shot.url}`}>
                  <img className={styles.thumb} src={screenshotAddress(shot.hash)} alt="" loading="lazy" />
                </UnstyledButton>
                <Text size="sm" truncate mt={6}>
                  {shot.url}
                </Text>
                <Text size="xs" c="dimmed">
                  {shot.width} × {shot.height} {shot.type}
                  {shot.stage !== null && record.stages > 1 && `, stage ${shot.stage + 1}`},{' '}
                  <Time at={shot.at} />
                </Text>
              </Card>
            ))}
          </SimpleGrid>
          <Modal
            opened={opened !== undefined}
            onClose={() => setOpened(undefined)}
            size="xl"
            title="Screenshot"
            closeButtonProps={{ 'aria-label': 'Close' }}
          >
            {opened && <Enlarged shot={opened} />}
          </Modal>
        </>
      )}
    </Loaded>
  )
}

function Enlarged({ shot }: { readonly shot: Shot }) {
  const address = webAddress(shot.url)
  return (
    <>
      <Text size="sm" mb="xs" className={styles.address}>
        {address ? (
          <a href={address.href} target="_blank" rel="noreferrer noopener">
            {shot.url}
          </a>
        ) : (
          shot.url
        )}
      </Text>
      <img className={styles.whole} src={screenshotAddress(shot.hash)} alt={`Screenshot of ${shot.url}`} />
    </>
  )
}
