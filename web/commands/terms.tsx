import { Code } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import classes from './terms.module.css'

export interface Term {
  readonly name: string
  readonly meaning: ReactNode
}

/** Names and what they mean, side by side where there is room. */
export function Terms({ terms }: { readonly terms: readonly Term[] }) {
  return (
    <dl className={classes.terms}>
      {terms.map(({ name, meaning }) => (
        <Fragment key={name}>
          <dt>
            <Code>{name}</Code>
          </dt>
          <dd>{meaning}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
