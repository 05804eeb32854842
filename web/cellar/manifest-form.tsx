import { Select, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { entry } from '../forms/entry.ts'
import { monospaced } from '../forms/monospaced.ts'
import { errorAt } from '../forms/schema.ts'
import { MANIFESTS, refreshCellar } from './actions.ts'
import { manifestTypes } from './manifest-types.ts'
import { nameError } from './names.ts'

/** A new manifest. */
export function ManifestForm({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [store, setStore] = useState('')
  const [type, setType] = useState<string | null>('file')
  const [screenshots, setScreenshots] = useState('')
  const [context, setContext] = useState('')

  const save = async () => {
    await api.post(MANIFESTS, {
      name,
      store,
      type,
      ...(screenshots.trim() !== '' && { screenshots: referencesIn(screenshots) }),
      ...(context.trim() !== '' && { attributesContext: objectIn(context) }),
    })
    await refreshCellar(client)
    showDone(`The manifest ${name} is added.`)
  }

  return (
    <FormModal title="New manifest" action="Add the manifest" onSubmit={save} onClose={onClose}>
      {errors => (
        <>
          <TextInput
            label="Name"
            required
            data-autofocus
            {...entry(name, setName, errorAt(errors, '$.name') ?? (name !== '' && nameError(name)))}
          />
          <TextInput
            label="Store"
            description="The name of the store that is delivered to"
            required
            {...entry(store, setStore, errorAt(errors, '$.store') ?? (store !== '' && nameError(store)))}
          />
          <Select
            label="Type"
            required
            searchable
            allowDeselect={false}
            data={manifestTypes}
            value={type}
            error={errorAt(errors, '$.type')}
            onChange={setType}
          />
          <Textarea
            label="Screenshots that it keeps"
            description="The hash of one on each line; the number of its stage may follow after a space"
            autosize
            minRows={2}
            maxRows={8}
            {...entry(screenshots, setScreenshots, errorAt(errors, '$.screenshots', true))}
            styles={monospaced}
          />
          <Textarea
            label="Context of the attributes"
            description={
              'How rows of this name are shown: {"visibleAttributes": ["name"], "attributeRenderers": {"photo": "picture"}}'
            }
            autosize
            minRows={2}
            maxRows={8}
            {...entry(context, setContext, errorAt(errors, '$.attributesContext', true))}
            styles={monospaced}
          />
        </>
      )}
    </FormModal>
  )
}

const referencesIn = (text: string): (string | number)[][] =>
  text
    .split('\n')
    .map(line => line.trim().split(/[\s,]+/))
    .filter(([hash]) => hash !== '')
    .map(([hash, stage]) =>
      stage === undefined ? [hash!] : [hash!, /^\d+$/.test(stage) ? Number(stage) : stage],
    )

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The context of the attributes is not JSON: ${(error as Error).message}`)
  }
}
