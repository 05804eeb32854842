import { command } from './command.ts'
import { help } from './http/api-help.ts'
import { ApiJob } from './http/api-job.ts'
import {
  connectionFlags,
  credentialFlags,
  metaFlag,
  pageFlags,
  pollingFlags,
  requestFlags,
} from './http/flags.ts'
import { literalArgument } from './http/literal.ts'

/** Methods that change nothing, whose answers may be kept. */
const READS: ReadonlySet<string> = new Set(['get', 'head'])

export default command({
  name: 'api',
  kind: 'expand',
  group: 'get',
  summary: 'Sends an HTTP request; the answer becomes rows',
  help,
  arguments: [
    {
      name: 'method',
      type: 'choice',
      choices: ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'],
      help: 'The HTTP method.',
    },
    { name: 'url', type: 'url', secret: true, help: 'The address.' },
  ],
  flags: [
    {
      name: 'data',
      type: 'json',
      orText: true,
      pagination: true,
      secret: true,
      help: 'The body: JSON, or any text.',
    },
    { name: 'form', type: 'json', secret: true, help: 'The body as the fields of a form: an object.' },
    {
      name: 'multipart',
      type: 'json',
      secret: true,
      help: 'The body as a form with files: an object of fields, where a file is `{filename, type, value}` or `{filename, type, base64}`.',
    },
    { name: 'query', type: 'json', secret: true, help: 'Parameters to add to the address: an object.' },
    ...requestFlags,
    ...credentialFlags,
    {
      name: 'serializer',
      type: 'choice',
      choices: ['auto', 'json', 'ndjson', 'xml', 'csv', 'parquet', 'html', 'text', 'binary'],
      default: 'auto',
      help: 'How the answer is read; auto goes by its content type.',
    },
    {
      name: 'accept',
      type: 'text',
      default: '200-299',
      help: 'The statuses that are a result, such as `200-299,404`; any other is a failure of the row.',
    },
    ...connectionFlags,
    metaFlag,
    ...pageFlags,
    {
      name: 'pagination.url',
      type: 'url',
      pagination: true,
      secret: true,
      help: 'The address of the next page, with `$pagination.next$` for the pointer.',
    },
    {
      name: 'pagination.link',
      type: 'boolean',
      default: false,
      help: 'Follows the `Link` header with `rel="next"`.',
    },
    { name: 'pagination.page', type: 'text', help: 'The parameter that counts pages.' },
    { name: 'pagination.offset', type: 'text', help: 'The parameter that counts items.' },
    ...pollingFlags,
  ],
  volatile: stage => !READS.has(literalArgument(stage, 'method') ?? ''),
  examples: [
    {
      title: 'An array is rows',
      query: 'api get http://localhost:1969/api/categories || table slug products || head 2',
      output: [
        { slug: 'laptops', products: 24 },
        { slug: 'phones', products: 24 },
      ],
    },
    {
      title: 'All pages, by the pointer in each',
      query:
        'api get http://localhost:1969/api/products --pagination.next next --pagination.max 0 || normalize items || count',
      output: [{ count: 120 }],
    },
    {
      title: 'A cursor that is no address',
      query:
        'api get http://localhost:1969/api/cursor --pagination.next next --pagination.url http://localhost:1969/api/cursor?after=$pagination.next$ --pagination.max 0 || normalize items || count',
      output: [{ count: 120 }],
    },
    {
      title: 'A call for each row, which keeps its own columns too',
      input: [{ n: 7 }, { n: 8 }],
      query: 'api get http://localhost:1969/api/item/$n$ --enrich true || table n name even',
      output: [
        { n: 7, name: 'Item 7', even: false },
        { n: 8, name: 'Item 8', even: true },
      ],
    },
    {
      title: 'Long numbers stay exact on the way there and back',
      query:
        'seed {n: 100000000000000001} || api get http://localhost:1969/api/item/$n$ || filter "id == 100000000000000001" || table name',
      output: [{ name: 'Item 100000000000000001' }],
    },
    {
      title: 'A row that fails does not stop the others',
      input: [{ id: 1 }, { id: 999 }],
      query: 'api get http://localhost:1969/api/products/$id$ || table name _error.code',
      output: [{ name: 'Kestrel Mini' }, { _error: { code: 'http_status' } }],
    },
    {
      title: 'Sending JSON: a value keeps its type',
      input: [{ id: 7, tag: 'new' }],
      query: `api post http://localhost:1969/api/echo --data '{"id": "$id$", "note": "is $tag$"}' || table method json`,
      output: [{ method: 'POST', json: { id: 7, note: 'is new' } }],
    },
    {
      title: 'A job that is asked for until it is done',
      query:
        'api post http://localhost:1969/api/jobs --data {category:"laptops"} || api get http://localhost:1969/api/jobs/$id$ --while "status == \'pending\'" --while.delay 0 || table status',
      output: [{ status: 'done' }],
    },
    {
      title: 'XML with namespaces',
      query:
        'api get http://localhost:1969/data/products.xml || normalize catalog.product || table id name.0 p:price.0.textContent || head 1',
      output: [{ id: '1', name: ['Kestrel Mini'], 'p:price': [{ textContent: '702.00' }] }],
    },
    {
      title: 'The files of a ZIP',
      query: 'api get http://localhost:1969/data/products.zip || count _file',
      output: [
        { _file: 'products.csv', count: 120 },
        { _file: 'categories.csv', count: 5 },
      ],
    },
    {
      title: 'How it went',
      query: 'api get http://localhost:1969/redirect/1 --meta || table redirected _api.status _api.attempts',
      output: [{ redirected: true, _api: { status: 200, attempts: 2 } }],
    },
  ],
  expand: context => new ApiJob(context).rows(),
})
