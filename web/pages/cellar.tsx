import { Tabs } from '@mantine/core'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { FilePage } from '../cellar/file-page.tsx'
import { FilesTab } from '../cellar/files-tab.tsx'
import { ManifestsTab } from '../cellar/manifests-tab.tsx'
import { PageHeader } from '../components/page-header.tsx'

export default function CellarPage() {
  const { id } = useParams<{ id?: string }>()
  return id === undefined ? <Cellar /> : <FilePage key={id} name={id} />
}

function Cellar() {
  const [parameters] = useSearchParams()
  const [, navigate] = useLocation()
  const tab = parameters.get('tab') === 'manifests' ? 'manifests' : 'files'
  return (
    <>
      <PageHeader
        title="Cellar"
        about="Tables that outlive their queries: files to read with thaw, and what was delivered where."
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={value => navigate(value === 'manifests' ? '/cellar?tab=manifests' : '/cellar')}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="files">Files</Tabs.Tab>
          <Tabs.Tab value="manifests">Manifests</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files">
          <FilesTab />
        </Tabs.Panel>
        <Tabs.Panel value="manifests">
          <ManifestsTab />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
