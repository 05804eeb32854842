import { Anchor } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { Empty } from '../components/states.tsx'

export function NotFoundPage() {
  const [location] = useLocation()
  return (
    <Empty title="There is no such page">
      Nothing is at {location}.{' '}
      <Anchor component={Link} href="/">
        Write a query
      </Anchor>{' '}
      instead.
    </Empty>
  )
}
