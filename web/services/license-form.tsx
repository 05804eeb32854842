import { FileInput, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { License } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { entry } from '../forms/entry.ts'
import { monospaced } from '../forms/monospaced.ts'
import { errorAt } from '../forms/schema.ts'
import { LICENSES } from './path.ts'

interface LicenseFormProps {
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

/** A file or its text: it is the same, since a license is a text. */
export function LicenseForm({ onSaved, onClose }: LicenseFormProps) {
  const [text, setText] = useState('')
  const add = async () => {
    const { plan, holder } = await api.post<License>(LICENSES, { licenseKey: { value: text.trim() } })
    await onSaved()
    showDone(`The license ${plan} for ${holder} holds from now on.`)
  }
  return (
    <FormModal title="Add a license" action="Add the license" onSubmit={add} onClose={onClose}>
      {errors => (
        <>
          <FileInput
            label="From a file"
            placeholder="Choose the file"
            leftSection={<IconFileUpload size={16} />}
            onChange={file => void file?.text().then(setText)}
          />
          <Textarea
            label="The license"
            description="Its whole text, as you were given it"
            required
            autosize
            minRows={4}
            maxRows={12}
            spellCheck={false}
            styles={monospaced}
            {...entry(text, setText, errorAt(errors, '$.licenseKey.value'))}
          />
        </>
      )}
    </FormModal>
  )
}
