import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import {
  IconCalendarPlus,
  IconDots,
  IconLink,
  IconTemplate,
  IconTerminal,
  IconTerminal2,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { QueryRecord } from '../api/types.ts'
import { lazily } from '../app/lazily.ts'
import { copyText } from '../components/copy-text.ts'
import { showFailure } from '../components/notices.ts'
import { asCommandLine, asCurl, asLink } from './forms.ts'

const TemplateForm = lazily(async () => ({
  default: (await import('../templates/template-form.tsx')).TemplateForm,
}))
const ScheduleForm = lazily(async () => ({
  default: (await import('../schedules/schedule-form.tsx')).ScheduleForm,
}))

/** What can be done with a query besides running it. */
export function ActionsMenu({
  text,
  record,
}: {
  readonly text: string
  readonly record: QueryRecord | undefined
}) {
  const [dialog, setDialog] = useState<'template' | 'schedule'>()
  const copy = (form: string, message: string) => void copyText(form, message).catch(showFailure)
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Tooltip label="More">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="More actions"
              disabled={text.trim() === ''}
            >
              <IconDots size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconTemplate size={16} />} onClick={() => setDialog('template')}>
            Save as template…
          </Menu.Item>
          <Menu.Item leftSection={<IconCalendarPlus size={16} />} onClick={() => setDialog('schedule')}>
            Schedule…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLink size={16} />}
            onClick={() => copy(asLink(text, location.origin, record), 'The link is copied.')}
          >
            Copy link
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTerminal2 size={16} />}
            onClick={() =>
              copy(asCurl(text, location.origin), 'Copied for curl, which takes an API key from $FORAGE_KEY.')
            }
          >
            Copy as curl
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTerminal size={16} />}
            onClick={() => copy(asCommandLine(text), 'The command line is copied.')}
          >
            Copy as command line
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'template' && <TemplateForm template={{ query: text }} onClose={close} />}
        {dialog === 'schedule' && <ScheduleForm schedule={{ query: text }} onClose={close} />}
      </Suspense>
    </>
  )
}
