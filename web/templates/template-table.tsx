import { Badge, Button, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconCopy, IconExternalLink, IconPencil, IconPlayerPlay } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { QueryTemplate } from '../api/types.ts'
import { QueryText } from '../components/query-text.tsx'
import { RowMenu } from '../components/row-menu.tsx'
import { Time } from '../components/time.tsx'
import { writeAgain } from '../queries/actions.ts'
import { deleteTemplate } from './actions.ts'

interface Actions {
  readonly onRun: (template: QueryTemplate) => void
  readonly onEdit: (template: Partial<QueryTemplate>) => void
}

export function TemplateTable({
  templates,
  ...actions
}: Actions & { readonly templates: readonly QueryTemplate[] }) {
  return (
    <Table verticalSpacing="sm" highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm" w="42%">
            Query
          </Table.Th>
          <Table.Th visibleFrom="md" w={130}>
            Changed
          </Table.Th>
          <Table.Th w={130}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {templates.map(template => (
          <TemplateRow key={template.id} template={template} {...actions} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function TemplateRow({ template, onRun, onEdit }: Actions & { readonly template: QueryTemplate }) {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600} size="sm">
          {template.name}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {template.description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <QueryText>{template.query}</QueryText>
        <Parameters template={template} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={template.updatedAt} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconPlayerPlay size={14} />}
            aria-label={`Run ${template.name}`}
            onClick={() => onRun(template)}
          >
            Run
          </Button>
          <TemplateMenu template={template} onEdit={onEdit} />
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

function Parameters({ template: { parameters } }: { readonly template: QueryTemplate }) {
  if (parameters.length === 0) return null
  return (
    <Group gap={4} mt={4} aria-label="Parameters" role="group">
      {parameters.map(({ name, required }) => (
        <Badge
          key={name}
          variant={required ? 'light' : 'default'}
          size="sm"
          tt="none"
          ff="monospace"
          fw={500}
        >
          {name}
        </Badge>
      ))}
    </Group>
  )
}

function TemplateMenu({ template, onEdit }: Pick<Actions, 'onEdit'> & { readonly template: QueryTemplate }) {
  const client = useQueryClient()
  const { name, description, query, templateSchema } = template
  return (
    <RowMenu label={`More actions for ${name}`} onDelete={() => deleteTemplate(template, client)}>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onEdit(template)}>
        Edit
      </Menu.Item>
      <Menu.Item
        leftSection={<IconCopy size={16} />}
        onClick={() => onEdit({ name: `${name} (copy)`, description, query, templateSchema })}
      >
        Duplicate
      </Menu.Item>
      <Menu.Item component={Link} href={writeAgain(query)} leftSection={<IconExternalLink size={16} />}>
        Open in the editor
      </Menu.Item>
    </RowMenu>
  )
}
