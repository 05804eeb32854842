import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Store } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { STREAMS } from './path.ts'

interface StreamFormProps {
  readonly stores: readonly Store[]
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function StreamForm({ stores, onSaved, onClose }: StreamFormProps) {
  const [name, setName] = useState('')
  const [store, setStore] = useState<string | null>(stores[0]?.name ?? null)
  const [format, setFormat] = useState<string | null>(null)
  const [batch, setBatch] = useState<number | string>('')
  const [target, setTarget] = useState('')
  const save = async () => {
    const streamConfig = {
      store,
      ...(format && { format }),
      ...(batch !== '' && { batch: Number(batch) }),
      ...(target && { target }),
    }
    await api.post(STREAMS, { name, streamConfig })
    await onSaved()
    showDone(`The stream ${name} is made.`)
  }
  return (
    <FormModal title="New stream" action="Create the stream" size="md" onSubmit={save} onClose={onClose}>
      {errors => (
        <>
          <TextInput
            label="Name"
            required
            data-autofocus
            {...entry(name, setName, errorAt(errors, '$.name'))}
          />
          <Select
            label="Store"
            required
            allowDeselect={false}
            data={stores.map(store => store.name)}
            value={store}
            error={errorAt(errors, '$.streamConfig.store')}
            onChange={setStore}
          />
          <Select
            label="Format"
            description="How rows are written; the store's own when none is chosen"
            clearable
            data={['ndjson', 'json', 'csv', 'parquet']}
            value={format}
            error={errorAt(errors, '$.streamConfig.format')}
            onChange={setFormat}
          />
          <NumberInput
            label="Rows at once"
            description="The most; the store's own when none is given"
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={batch}
            error={errorAt(errors, '$.streamConfig.batch')}
            onChange={setBatch}
          />
          <TextInput
            label="Target"
            description="Within the store: a table, a file, a topic"
            {...entry(target, setTarget, errorAt(errors, '$.streamConfig.target'))}
          />
        </>
      )}
    </FormModal>
  )
}
