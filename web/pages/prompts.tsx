import { Code } from '@mantine/core'
import { NamedTexts } from '../settings/named-texts.tsx'

export default function PromptsPage() {
  return (
    <NamedTexts
      title="Prompts"
      noun="prompt"
      token="PROMPTS"
      about={
        <>
          Texts for language models, kept under a name, so that several queries can say the same:{' '}
          <Code>prompt $PROMPTS.name$</Code>.
        </>
      }
      empty="Write one with the button above, and use it in the command prompt."
    />
  )
}
