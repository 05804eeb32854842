import { Button, Code, Group, Table, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { api, segment } from '../api/client.ts'
import { confirmThen } from '../components/confirm.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { ListTable } from './list-table.tsx'
import { RowActions } from './row-actions.tsx'
import { useList, useRefresh } from './use-list.ts'

type NamedText = { readonly name: string; readonly updatedAt: string }

interface NamedTextsProps {
  readonly title: string
  readonly about: ReactNode
  /** `prompt`: the noun, and the name of the field that holds the text. */
  readonly noun: 'prompt' | 'checkpoint'
  /** `PROMPTS`: how queries refer to them. */
  readonly token: string
  /** How one gets here besides by the button. */
  readonly empty: ReactNode
}

/** The page of texts that queries know by their names. */
export function NamedTexts({ title, about, noun, token, empty }: NamedTextsProps) {
  const path = `/v1/secrets/${noun}s`
  const list = useList<NamedText>(path)
  const refresh = useRefresh(path)
  const [edited, setEdited] = useState<NamedText | 'new'>()
  const textOf = (item: NamedText) => (item as NamedText & Record<string, string>)[noun] ?? ''
  const remove = (name: string) =>
    confirmThen({
      title: `Delete the ${noun} ${name}?`,
      text: `Queries that use $${token}.${name}$ will find ${noun === 'prompt' ? 'no such prompt' : 'it empty'}.`,
      action: 'Delete',
      run: async () => {
        await api.delete(`${path}/${segment(name)}`)
        await refresh()
        showDone(`The ${noun} ${name} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader title={title} about={about}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
          New {noun}
        </Button>
      </PageHeader>
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title={`There are no ${noun}s yet`}>{empty}</Empty>
          ) : (
            <ListTable
              label={title}
              columns={['Name', 'Text', 'In queries', 'Changed']}
              minWidth={680}
              total={total}
              shown={items.length}
            >
              {items.map(item => (
                <Table.Tr key={item.name}>
                  <Table.Td fw={500}>{item.name}</Table.Td>
                  <Table.Td maw={360}>
                    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                      {textOf(item)}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4} wrap="nowrap">
                      <Code>{`$${token}.${item.name}$`}</Code>
                      <CopyButton value={`$${token}.${item.name}$`} label={`Copy $${token}.${item.name}$`} />
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    <Time at={item.updatedAt} />
                  </Table.Td>
                  <RowActions
                    name={item.name}
                    onEdit={() => setEdited(item)}
                    onDelete={() => remove(item.name)}
                  />
                </Table.Tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {edited && (
        <TextForm
          noun={noun}
          path={path}
          name={edited === 'new' ? undefined : edited.name}
          text={edited === 'new' ? '' : textOf(edited)}
          onSaved={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

interface TextFormProps {
  readonly noun: string
  readonly path: string
  /** Undefined for a new one. */
  readonly name: string | undefined
  readonly text: string
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

function TextForm({ noun, path, name: present, text: presentText, onSaved, onClose }: TextFormProps) {
  const [name, setName] = useState(present ?? '')
  const [text, setText] = useState(presentText)
  const save = async () => {
    if (present === undefined) await api.post(path, { name, [noun]: text })
    else await api.put(`${path}/${segment(present)}`, { [noun]: text })
    await onSaved()
    showDone(`The ${noun} ${name} is saved.`)
  }
  const field = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (
    <FormModal
      title={present === undefined ? `New ${noun}` : `Edit ${present}`}
      action="Save"
      size="lg"
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <>
          {present === undefined && (
            <TextInput
              label="Name"
              required
              data-autofocus
              maxLength={1000}
              {...entry(name, setName, errorAt(errors, '$.name'))}
            />
          )}
          <Textarea
            label={field}
            required
            autosize
            minRows={4}
            maxRows={20}
            maxLength={10_000}
            {...entry(text, setText, errorAt(errors, `$.${noun}`))}
          />
        </>
      )}
    </FormModal>
  )
}
