import { Stack, Title } from '@mantine/core'
import { PageHeader } from '../components/page-header.tsx'
import { BrowserPool } from '../services/browser-pool.tsx'
import { Licenses } from '../services/licenses.tsx'
import { ServiceTable } from '../services/service-table.tsx'
import { Work } from '../services/work.tsx'

export default function ServicesPage() {
  return (
    <>
      <PageHeader
        title="Services"
        about="The ten parts of Forage, what each does at this moment, and the browser and the work behind them."
      />
      <Stack gap="xl">
        <ServiceTable />
        <section>
          <Title order={2} size="h4" mb="xs">
            Browser
          </Title>
          <BrowserPool />
        </section>
        <section>
          <Title order={2} size="h4" mb="xs">
            Work
          </Title>
          <Work />
        </section>
        <Licenses />
      </Stack>
    </>
  )
}
