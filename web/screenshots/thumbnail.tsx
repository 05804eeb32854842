import { UnstyledButton } from '@mantine/core'
import { screenshotAddress } from '../results/cells/values.ts'
import styles from './thumbnail.module.css'

/** The top of a screenshot. A click enlarges it, or opens it by itself where nobody says what else to do. */
export function Thumbnail({
  hash,
  label,
  onOpen,
}: {
  readonly hash: string
  readonly label: string
  readonly onOpen?: () => void
}) {
  const address = screenshotAddress(hash)
  const picture = <img className={styles.picture} src={address} alt="" loading="lazy" decoding="async" />
  if (onOpen)
    return (
      <UnstyledButton className={styles.frame} aria-label={label} onClick={onOpen}>
        {picture}
      </UnstyledButton>
    )
  return (
    <a className={styles.frame} href={address} target="_blank" rel="noreferrer noopener" aria-label={label}>
      {picture}
    </a>
  )
}
