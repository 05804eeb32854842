import { Modal, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { type Json, type Row, stringifyJson } from '../../src/language/json.ts'
import type { ResultsPage } from '../api/types.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { count } from '../components/numbers.ts'
import { CellContent } from '../results/cells/cell.tsx'
import { bare } from '../results/rows.ts'
import type { AttributesView } from './attributes-view.ts'
import styles from './rows-table.module.css'

export interface Order {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

interface Properties {
  readonly rows: readonly unknown[]
  readonly columns: readonly ResultsPage['columns'][number][]
  readonly renderers: AttributesView['renderers']
  /** Of the first row, counted from 1 in the whole file. */
  readonly firstNumber: number
  readonly order: Order | undefined
  readonly onOrder: (order: Order | undefined) => void
}

/** A page of rows. A click on a value shows the whole of it; the number of a row, the whole row. */
export function RowsTable({ rows, columns, renderers, firstNumber, order, onOrder }: Properties) {
  const [opened, setOpened] = useState<{ title: string; value: Json | undefined }>()
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Rows">
        <Table stickyHeader withColumnBorders className={styles.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={styles.number}>#</Table.Th>
              {columns.map(({ name, type }) => (
                <Heading key={name} name={name} type={type} order={order} onOrder={onOrder} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((content, index) => {
              const row = bare(content as Row)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place
                <Table.Tr key={index}>
                  <Table.Td className={styles.number}>
                    <UnstyledButton
                      fz="sm"
                      c="dimmed"
                      aria-label={`Show row ${firstNumber + index}`}
                      onClick={() => setOpened({ title: `Row ${count(firstNumber + index)}`, value: row })}
                    >
                      {count(firstNumber + index)}
                    </UnstyledButton>
                  </Table.Td>
                  {columns.map(({ name, type }) => (
                    <Table.Td
                      key={name}
                      className={styles.cell}
                      data-number={type === 'number' || undefined}
                      onClick={() => setOpened({ title: name, value: row[name] })}
                    >
                      <CellContent
                        value={row[name]}
                        column={name}
                        row={row}
                        renderer={renderers.get(name)}
                        onOpen={() => setOpened({ title: name, value: row[name] })}
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </section>
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened && <WholeValue value={opened.value} />}
      </Modal>
    </>
  )
}

function WholeValue({ value }: { readonly value: Json | undefined }) {
  const text = typeof value === 'string' ? value : value === undefined ? 'null' : stringifyJson(value, 2)
  return (
    <>
      <CopyButton value={text} label="Copy the value" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className={styles.whole} tabIndex={0}>
        {text}
      </pre>
    </>
  )
}

function Heading({
  name,
  type,
  order,
  onOrder,
}: Pick<Properties, 'order' | 'onOrder'> & { readonly name: string; readonly type: string }) {
  const direction = order?.column === name ? order.direction : undefined
  const next = () => {
    if (direction === undefined) return onOrder({ column: name, direction: 'asc' })
    onOrder(direction === 'asc' ? { column: name, direction: 'desc' } : undefined)
  }
  return (
    <Table.Th
      className={styles.heading}
      data-number={type === 'number' || undefined}
      aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <UnstyledButton onClick={next} aria-label={`Sort by ${name}`} fz="sm" fw={600} className={styles.sort}>
        {name}
        {direction === 'asc' && <IconArrowUp size={14} />}
        {direction === 'desc' && <IconArrowDown size={14} />}
      </UnstyledButton>{' '}
      <span className={styles.type}>{type}</span>
    </Table.Th>
  )
}
