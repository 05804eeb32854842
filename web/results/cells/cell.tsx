import { useMemo } from 'react'
import type { Json, Row } from '../../../src/language/json.ts'
import styles from './cell.module.css'
import { cutText, type Renderer, renderedAs, type ShownValue, shownValue } from './values.ts'

interface Props {
  readonly value: Json | undefined
  readonly column: string
  readonly row: Row
  /** What it is to be shown as; else it is guessed. */
  readonly renderer?: Renderer | undefined
  /** Opens the whole value. */
  readonly onOpen: () => void
}

/** A value in a row of one line. Whatever a page on the web wrote into it is text here. */
export function CellContent({ value, column, row, renderer, onOpen }: Props) {
  const shown = useMemo(
    () => renderedAs(shownValue(value, column, row), renderer),
    [value, column, row, renderer],
  )
  switch (shown.kind) {
    case 'missing':
      return <span className={styles.missing}>null</span>
    case 'boolean':
      return <span className={shown.text === 'true' ? styles.true : undefined}>{shown.text}</span>
    case 'link':
      return <WebLink shown={shown} />
    case 'picture':
      return (
        <>
          <button
            type="button"
            className={styles.thumb}
            tabIndex={-1}
            onClick={onOpen}
            aria-label={`Enlarge the picture in ${column}`}
          >
            <img src={shown.address} alt="" loading="lazy" decoding="async" referrerPolicy="no-referrer" />
          </button>
          {shown.screenshot ? (
            <span className={styles.code}>{cutText(shown.text)}</span>
          ) : (
            <WebLink shown={shown} />
          )}
        </>
      )
    case 'json':
    case 'html':
      return <span className={styles.code}>{cutText(shown.text)}</span>
    default:
      return <span className={styles.text}>{cutText(shown.text).replaceAll(/\s+/g, ' ')}</span>
  }
}

/** Reached by the cell view when there is no mouse: with a tab stop in every cell nobody would get past a table. */
function WebLink({ shown: { address, text } }: { readonly shown: ShownValue }) {
  if (address?.startsWith('http'))
    return (
      <a className={styles.link} href={address} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
        {cutText(text)}
      </a>
    )
  return <span className={styles.code}>{cutText(text)}</span>
}
