import { memo } from 'react'
import type { Sorting } from '../rows.ts'
import type { GridColumns } from './columns.ts'
import styles from './grid.module.css'
import type { Layout } from './grid-row.tsx'
import { Heading } from './heading.tsx'
import { HEADER_HEIGHT } from './tall-scroll.ts'

export interface HeaderProps {
  readonly columns: GridColumns
  readonly sort: Sorting | undefined
  readonly onSort: (sort: Sorting | undefined) => void
  readonly onCommands: (column: string) => void
  readonly onSummary: (column: string) => void
}

/** While one scrolls down it stays as it is, and is not drawn again. */
export const GridHeader = memo(function GridHeader(props: HeaderProps & { readonly layout: Layout }) {
  const { layout, ...rest } = props
  const { pinned, others, width, numberWidth, isStuck } = layout
  return (
    <div className={styles.header} style={{ width }}>
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are */}
      <div role="row" aria-rowindex={1} style={{ height: HEADER_HEIGHT, background: 'inherit' }}>
        <div
          role="presentation"
          className={`${styles.pinned} ${isStuck ? styles.stuck : ''}`}
          data-edge={isStuck || undefined}
          style={{ width: 'fit-content', background: 'inherit' }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: nothing can be done with it */}
          <div
            role="columnheader"
            aria-colindex={1}
            aria-label="Row number"
            className={styles.number}
            style={{ width: numberWidth }}
          >
            #
          </div>
          {pinned.map((column, place) => (
            <div key={column.id} role="presentation" style={{ height: '100%' }}>
              <Heading column={column} place={place} width={column.getSize()} {...rest} />
            </div>
          ))}
        </div>
        {others.map(({ index, start, column }) => (
          <div key={column.id} role="presentation" className={styles.place} style={{ left: start }}>
            <Heading column={column} place={pinned.length + index} width={column.getSize()} {...rest} />
          </div>
        ))}
      </div>
    </div>
  )
})
