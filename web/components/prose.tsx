import { Code, Stack, Text } from '@mantine/core'

/** A line of help, in which backticks enclose what is written literally. */
export function Help({ text }: { readonly text: string }) {
  return text.split('`').map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
    index % 2 === 0 ? piece : <Code key={index}>{piece}</Code>,
  )
}

/** The same with several paragraphs, an empty line between them. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <Stack gap="xs">
      {text.split('\n\n').map(paragraph => (
        <Text key={paragraph} size="sm" c="dimmed" component="div">
          <Help text={paragraph} />
        </Text>
      ))}
    </Stack>
  )
}
