import { command } from './command.ts'
import { connectionFlags, credentialFlags, metaFlag, pageFlags, requestFlags } from './http/flags.ts'
import { isMutation } from './http/graphql-document.ts'
import { GraphqlJob } from './http/graphql-job.ts'
import { literalArgument } from './http/literal.ts'

export default command({
  name: 'graphql',
  kind: 'expand',
  group: 'get',
  summary: 'Sends a GraphQL query; its data becomes rows',
  help: [
    'Where `data` has one field, a list in it gives a row for each item and an object one row; several fields together are one row. `--rows` says where else the rows are, and goes through lists: `--rows products.edges.node` takes the node of every edge. Errors in the answer are a failure of the row, also when a part of the data came with them.',
    '',
    'The text of the query takes no tokens: what changes from row to row goes into `--variables`.',
    '',
    '`--pagination.next` is the path of the cursor in the whole answer, `data` included. The next page is the same query with the cursor in place of `$pagination.next$` in `--variables`; for the first page that variable is left out. It ends at an empty or repeated cursor, at `hasNextPage: false` beside the cursor, and after `--pagination.max` pages, of which a warning tells.',
    '',
    'A query is tried again as a get is, since it only reads. A mutation is not, its result is never cached, and it carries an `Idempotency-Key`.',
  ].join('\n'),
  arguments: [
    { name: 'url', type: 'url', secret: true, help: 'The address of the GraphQL service.' },
    { name: 'query', type: 'graphql', help: 'The query or mutation.' },
  ],
  flags: [
    {
      name: 'variables',
      type: 'json',
      pagination: true,
      secret: true,
      help: 'The variables of the query: an object.',
    },
    { name: 'operation', type: 'text', help: 'Which operation to run, if the text has several.' },
    {
      name: 'rows',
      type: 'path',
      wildcard: false,
      help: 'Where in `data` the rows are.',
    },
    ...requestFlags,
    ...credentialFlags,
    ...connectionFlags,
    metaFlag,
    ...pageFlags,
  ],
  volatile: stage => isMutation(literalArgument(stage, 'query') ?? ''),
  examples: [
    {
      title: 'A list is rows',
      query: "graphql http://localhost:1969/graphql '{ categories { slug products } }' || head 2",
      output: [
        { slug: 'laptops', products: 24 },
        { slug: 'phones', products: 24 },
      ],
    },
    {
      title: 'Page by page, the value of each row in a variable',
      input: [{ category: 'phones' }],
      query:
        'graphql http://localhost:1969/graphql \'query($category: String, $after: String) { products(first: 10, category: $category, after: $after) { pageInfo { hasNextPage endCursor } nodes { id category } } }\' --variables \'{category: "$category$", after: "$pagination.next$"}\' --pagination.next data.products.pageInfo.endCursor --rows products.nodes || count category',
      output: [{ category: 'phones', count: 24 }],
    },
    {
      title: 'An error is a failure of the row',
      input: [{ id: 1 }, { id: 999 }],
      query:
        'graphql http://localhost:1969/graphql \'query($id: ID!) { product(id: $id) { name } }\' --variables {id:"$id$"} || table name _error.code',
      output: [{ name: 'Kestrel Mini' }, { _error: { code: 'graphql_error' } }],
    },
  ],
  expand: context => new GraphqlJob(context).rows(),
})
