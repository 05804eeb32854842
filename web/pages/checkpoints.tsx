import { Code } from '@mantine/core'
import { NamedTexts } from '../settings/named-texts.tsx'

export default function CheckpointsPage() {
  return (
    <NamedTexts
      title="Checkpoints"
      noun="checkpoint"
      token="CHECKPOINTS"
      about={
        <>
          Where a query got to, so that its next run goes on from there. A stage saves one with{' '}
          <Code>--checkpoint "name:path"</Code> when its query completes.
        </>
      }
      empty={
        <>
          A query saves the first one with <Code>--checkpoint "name:path"</Code> on any stage, or you set it
          here.
        </>
      }
    />
  )
}
