import { Card, SimpleGrid, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Page, Screenshot } from '../api/types.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { ScreenshotView } from '../screenshots/screenshot-view.tsx'
import { Thumbnail } from '../screenshots/thumbnail.tsx'

const SIZE = 24
/** Queries take more while one looks. */
const LIVE_MS = 15_000

export default function ScreenshotsPage() {
  const list = useListAddress(SIZE)
  const [opened, setOpened] = useState<string>()
  const query = useQuery({
    queryKey: ['screenshots', list.page],
    queryFn: () => api.get<Page<Screenshot>>('/v1/screenshot', { query: list.range }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  })
  const items = query.data?.items ?? []
  const at = items.findIndex(({ hash }) => hash === opened)
  const open = (index: number) =>
    items[index] === undefined ? undefined : () => setOpened(items[index]?.hash)
  return (
    <>
      <PageHeader
        title="Screenshots"
        about="Pictures of pages that queries took. They stay as long as the query, or a manifest that names them."
      />
      <Loaded query={query}>
        {({ total }) =>
          total === 0 ? (
            <Empty title="No screenshots yet">
              Take one with <code>screenshot URL</code>, or with <code>--screenshot</code> on a command that
              opens pages.
            </Empty>
          ) : (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }}>
                {items.map((screenshot, index) => (
                  <ScreenshotCard key={screenshot.hash} screenshot={screenshot} onOpen={open(index)!} />
                ))}
              </SimpleGrid>
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }
      </Loaded>
      {items[at] && (
        <ScreenshotView
          screenshot={items[at]}
          onStep={{ back: open(at - 1), on: open(at + 1) }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function ScreenshotCard({
  screenshot: { hash, url, width, height, takenAt },
  onOpen,
}: {
  readonly screenshot: Screenshot
  readonly onOpen: () => void
}) {
  return (
    <Card withBorder padding="xs" component="article">
      <Thumbnail hash={hash} label={`Enlarge the screenshot of ${url}`} onOpen={onOpen} />
      <Text size="sm" truncate mt={6} title={url}>
        {url}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {width} × {height}, <Time at={takenAt} />
      </Text>
    </Card>
  )
}
