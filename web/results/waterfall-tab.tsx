import { Badge, Group, Table, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Json, Row } from '../../src/language/json.ts'
import type { QueryRecord, StageRecord } from '../api/types.ts'
import { bytes, count, counted } from '../components/numbers.ts'
import { Loaded } from '../components/states.tsx'
import { duration } from '../components/time.tsx'
import { rowsQuery, viewOf } from './rows.ts'
import styles from './waterfall-tab.module.css'

const MOST = 1000

interface Request {
  readonly place: number
  readonly url: string
  readonly method: string
  readonly type: string
  readonly status: number | null
  readonly size: number | null
  readonly external: boolean
  readonly failed: string | null
  readonly startMs: number
  readonly waitMs: number
  readonly durationMs: number
}

/** The requests of a page along the time that it took. */
export function WaterfallTab({
  record,
  stage,
}: {
  readonly record: QueryRecord
  readonly stage: StageRecord
}) {
  const rows = useQuery(rowsQuery(viewOf(record, stage), 0, MOST))
  return (
    <Loaded query={rows}>
      {page => <Waterfall requests={page.rows.flatMap(requestOf)} total={page.total} />}
    </Loaded>
  )
}

function requestOf(row: Row, place: number): Request[] {
  const timing = row.timing as Row | null | undefined
  const startMs = numberOf(timing?.startMs)
  if (startMs === null) return []
  return [
    {
      place,
      url: String(row.url ?? ''),
      method: String(row.method ?? ''),
      type: String(row.resourceType ?? ''),
      status: numberOf(row.status),
      size: numberOf(row.size),
      external: row.external === true,
      failed: row.failed === true ? String(row.errorText ?? 'failed') : null,
      startMs,
      waitMs: numberOf(timing?.waitMs) ?? 0,
      durationMs: numberOf(timing?.durationMs) ?? 0,
    },
  ]
}

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)

const kinds = ['document', 'stylesheet', 'script', 'image', 'font', 'fetch', 'xhr', 'media']
const kindOf = (type: string): string => (kinds.includes(type) ? (type === 'xhr' ? 'fetch' : type) : 'other')

function Waterfall({ requests, total }: { readonly requests: readonly Request[]; readonly total: number }) {
  const end = Math.max(1, ...requests.map(({ startMs, durationMs }) => startMs + durationMs))
  const size = requests.reduce((sum, request) => sum + (request.size ?? 0), 0)
  const external = requests.filter(request => request.external).length
  return (
    <>
      <Group gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {counted(requests.length, 'request')}
          {total > requests.length && ` of ${count(total)}`}, {bytes(size)}, {duration(end)},{' '}
          {count(external)} to other hosts. Pale: waiting for the answer.
        </Text>
        {[...new Set(requests.map(({ type }) => kindOf(type)))].map(kind => (
          <Group key={kind} gap={4}>
            <span className={styles.swatch} data-kind={kind} />
            <Text size="xs">{kind}</Text>
          </Group>
        ))}
      </Group>
      <Table.ScrollContainer minWidth={760} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={3} fz="xs" aria-label="Requests" style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Request</Table.Th>
              <Table.Th>Type</Table.Th>
              <Table.Th ta="right">Status</Table.Th>
              <Table.Th ta="right">Size</Table.Th>
              <Table.Th ta="right">Time</Table.Th>
              <Table.Th w="40%">
                <Group justify="space-between">
                  <span>0 ms</span>
                  <span>{duration(end)}</span>
                </Group>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {requests.map(request => (
              <RequestRow key={request.place} request={request} end={end} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

function RequestRow({ request, end }: { readonly request: Request; readonly end: number }) {
  const { url, method, type, status, size, external, failed, startMs, waitMs, durationMs } = request
  const at = (ms: number) => `${(100 * ms) / end}%`
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Tooltip label={url.slice(0, 300)} multiline maw={480} openDelay={300}>
            <Text size="xs" truncate maw={260}>
              {method !== 'GET' && `${method} `}
              {shortName(url)}
            </Text>
          </Tooltip>
          {external && (
            <Badge size="xs" variant="default" tt="none" className={styles.fixed}>
              external
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>{type}</Table.Td>
      <Table.Td ta="right" className={failed || (status ?? 0) >= 400 ? styles.bad : undefined}>
        {failed ? (
          <Tooltip label={failed}>
            <span>failed</span>
          </Tooltip>
        ) : (
          (status ?? '–')
        )}
      </Table.Td>
      <Table.Td ta="right">{size === null ? '–' : bytes(size)}</Table.Td>
      <Table.Td ta="right">{duration(durationMs)}</Table.Td>
      <Table.Td>
        <div
          className={styles.track}
          role="img"
          aria-label={`from ${duration(startMs)} to ${duration(startMs + durationMs)}`}
        >
          <div
            className={styles.bar}
            data-kind={kindOf(type)}
            style={{ left: at(startMs), width: `max(2px, ${at(durationMs)})` }}
          >
            <div className={styles.wait} style={{ width: `${(100 * waitMs) / Math.max(1, durationMs)}%` }} />
          </div>
        </div>
      </Table.Td>
    </Table.Tr>
  )
}

/** The last part of the path says most; the host alone where there is none. */
function shortName(text: string): string {
  const url = URL.parse(text)
  if (!url || url.protocol === 'data:') return text.slice(0, 60)
  const last = url.pathname.split('/').findLast(part => part !== '')
  return last === undefined ? url.host : `${last}${url.search}`
}
