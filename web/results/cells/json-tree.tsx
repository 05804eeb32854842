import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Json, stringifyJson } from '../../../src/language/json.ts'
import { count } from '../../components/numbers.ts'
import styles from './cell-view.module.css'
import { webAddress } from './values.ts'

/** A JSON value whose parts open and close. Parts that are closed are not drawn: a value may have millions. */
export function JsonTree({ value }: { readonly value: Json }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too
    <section className={styles.tree} tabIndex={0} aria-label="JSON">
      <Node value={value} depth={0} />
    </section>
  )
}

interface NodeProps {
  readonly name?: string
  readonly value: Json
  readonly depth: number
}

const STEP = 100

function Node({ name, value, depth }: NodeProps) {
  const entries = partsOf(value)
  const [isOpen, setOpen] = useState(depth < 2 && entries.length <= STEP)
  const [shown, setShown] = useState(STEP)
  const label = name !== undefined && <span className={styles.key}>{name}: </span>
  if (typeof value !== 'object' || value === null || entries.length === 0)
    return (
      <div className={styles.leaf}>
        {label}
        <Scalar value={value} />
      </div>
    )
  const isList = Array.isArray(value)
  return (
    <details
      className={styles.branch}
      open={isOpen}
      onToggle={event => {
        // The event of a part inside comes by here too.
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open)
      }}
    >
      <summary>
        {label}
        <span className={styles.dim}>
          {isList ? `[${count(entries.length)}]` : `{${count(entries.length)}}`}
        </span>
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([key, item]) => <Node key={key} name={key} value={item} depth={depth + 1} />)}
      {isOpen && entries.length > shown && (
        <Button size="compact-xs" variant="subtle" onClick={() => setShown(shown + STEP * 10)}>
          {count(entries.length - shown)} more
        </Button>
      )}
    </details>
  )
}

const partsOf = (value: Json): [string, Json][] =>
  typeof value === 'object' && value !== null ? Object.entries(value as Record<string, Json>) : []

function Scalar({ value }: { readonly value: Json }) {
  if (typeof value === 'number' || typeof value === 'bigint')
    return <span className={styles.number}>{String(value)}</span>
  if (typeof value !== 'string') return <span className={styles.word}>{stringifyJson(value)}</span>
  const address = webAddress(value)
  return (
    <span className={styles.string}>
      {address ? (
        <a href={address.href} target="_blank" rel="noreferrer noopener">
          {value}
        </a>
      ) : (
        stringifyJson(value)
      )}
    </span>
  )
}
