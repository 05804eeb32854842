import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { CellarFile, Page } from '../api/types.ts'
import { Pager } from '../components/pager.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { FILES } from './actions.ts'
import { FileTable } from './file-table.tsx'
import { UploadArea } from './upload-area.tsx'

const SIZE = 50
/** Queries freeze files too. */
const LIVE_MS = 15_000

export function FilesTab() {
  const list = useListAddress(SIZE)
  const query = useQuery({
    queryKey: ['cellar', 'files', list.page],
    queryFn: () => api.get<Page<CellarFile>>(FILES, { query: list.range }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  })
  return (
    <>
      <UploadArea />
      <Loaded query={query}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="The cellar is empty">
              Upload a file above, or end a query with <code>|| freeze NAME</code>.
            </Empty>
          ) : (
            <>
              <FileTable files={items} />
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
