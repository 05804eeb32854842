import { cursorOf, readCursor } from './api.ts'
import type { Call } from './call.ts'
import { categories, findProduct, selectProducts } from './data.ts'
import { type ArgumentValue, GraphqlError, parseOperation, type Selection } from './graphql-text.ts'
import { categoryRecord, recordOf } from './records.ts'
import { jsonReply, Refusal, type Reply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

type Values = Record<string, unknown>

interface Context {
  call: Call
  state: State
}

interface Field {
  type?: ObjectType
  args?: readonly string[]
  resolve?(args: Values, context: Context): unknown
}

interface ObjectType {
  name: string
  fields: Record<string, Field>
}

const LARGEST_PAGE = 100

const plain = (...names: string[]): Record<string, Field> => Object.fromEntries(names.map(name => [name, {}]))

const REVIEW: ObjectType = { name: 'Review', fields: plain('author', 'stars', 'date', 'text') }
const DIMENSIONS: ObjectType = { name: 'Dimensions', fields: plain('width', 'height', 'depth') }
const ATTRIBUTES: ObjectType = {
  name: 'Attributes',
  fields: { ...plain('color', 'grams', 'tags'), dimensions: { type: DIMENSIONS } },
}
const PRODUCT: ObjectType = {
  name: 'Product',
  fields: {
    ...plain(
      'id',
      'uid',
      'name',
      'brand',
      'category',
      'price',
      'currency',
      'rating',
      'stock',
      'added',
      'url',
      'image',
      'description',
    ),
    attributes: { type: ATTRIBUTES },
    reviews: { type: REVIEW },
  },
}
const CATEGORY: ObjectType = { name: 'Category', fields: plain('slug', 'title', 'blurb', 'products', 'url') }
const PAGE_INFO: ObjectType = { name: 'PageInfo', fields: plain('hasNextPage', 'endCursor') }
const EDGE: ObjectType = { name: 'ProductEdge', fields: { ...plain('cursor'), node: { type: PRODUCT } } }
const CONNECTION: ObjectType = {
  name: 'ProductConnection',
  fields: {
    ...plain('totalCount'),
    pageInfo: { type: PAGE_INFO },
    edges: { type: EDGE },
    nodes: { type: PRODUCT },
  },
}

const QUERY: ObjectType = {
  name: 'Query',
  fields: {
    products: { type: CONNECTION, args: ['first', 'after', 'category'], resolve: connection },
    product: { type: PRODUCT, args: ['id'], resolve: oneProduct },
    categories: {
      type: CATEGORY,
      resolve: (_args, { call }) => categories.map(category => categoryRecord(category, call.origin)),
    },
    day: { resolve: (_args, { state }) => state.day },
  },
}
const MUTATION: ObjectType = { name: 'Mutation', fields: { setDay: { args: ['day'], resolve: setDay } } }

export function graphqlRoutes(router: Router, state: State): void {
  router.area('GraphQL and SOAP')
  const about =
    '`products(first, after, category)` with `pageInfo`, `product(id)`, `categories`, `day`, the mutation `setDay(day)`'
  router.post('/graphql', about, async call => answer(await readRequest(call), { call, state }))
}

interface GraphqlRequest {
  query: string
  variables: Values
}

async function readRequest(call: Call): Promise<GraphqlRequest> {
  const body = await call.json()
  const { query, variables } = (typeof body === 'object' && body !== null ? body : {}) as Values
  if (typeof query !== 'string')
    throw new Refusal(400, 'the body must be a JSON object with the text of a query')
  return {
    query,
    variables: typeof variables === 'object' && variables !== null ? (variables as Values) : {},
  }
}

function answer(request: GraphqlRequest, context: Context): Reply {
  const errors: Values[] = []
  try {
    const { kind, defaults, fields } = parseOperation(request.query)
    const root = kind === 'mutation' ? MUTATION : QUERY
    const wrong = fields.flatMap(field => check(root, field))
    if (wrong.length > 0) return jsonReply({ errors: wrong.map(error => described(error)) })
    const variables = { ...defaults, ...request.variables }
    const data = Object.fromEntries(
      fields.map(field => [field.alias, resolveRoot(root, field, variables, context, errors)]),
    )
    return jsonReply(errors.length > 0 ? { data, errors } : { data })
  } catch (error) {
    if (!(error instanceof GraphqlError)) throw error
    return jsonReply({ errors: [described(error)] })
  }
}

function described(error: GraphqlError, path?: string[]): Values {
  const { message, line, column } = error
  return { message, locations: [{ line, column }], ...(path && { path }) }
}

/** Everything that is wrong with a selection, before anything is done. */
function check(type: ObjectType, selection: Selection): GraphqlError[] {
  const { name, args, fields } = selection
  if (name === '__typename') return []
  const field = Object.hasOwn(type.fields, name) ? type.fields[name]! : undefined
  if (!field) return [new GraphqlError(`Cannot query field "${name}" on type "${type.name}".`, selection)]
  const unknown = Object.keys(args)
    .filter(arg => !field.args?.includes(arg))
    .map(arg => new GraphqlError(`Unknown argument "${arg}" on field "${type.name}.${name}".`, selection))
  if (!field.type) {
    return fields.length > 0
      ? [new GraphqlError(`Field "${name}" has no fields of its own.`, selection)]
      : unknown
  }
  if (fields.length === 0)
    return [new GraphqlError(`Field "${name}" needs a selection, as in "${name} { … }".`, selection)]
  return [...unknown, ...fields.flatMap(inner => check(field.type!, inner))]
}

function resolveRoot(
  root: ObjectType,
  selection: Selection,
  variables: Values,
  context: Context,
  errors: Values[],
): unknown {
  if (selection.name === '__typename') return root.name
  const field = root.fields[selection.name]!
  try {
    return shape(field.resolve!(argumentsOf(selection, variables), context), field, selection)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    errors.push(described(new GraphqlError(error.message, selection), [selection.alias]))
    return null
  }
}

function argumentsOf(selection: Selection, variables: Values): Values {
  const given = (arg: ArgumentValue) => ('variable' in arg ? variables[arg.variable] : arg.value)
  return Object.fromEntries(Object.entries(selection.args).map(([name, arg]) => [name, given(arg)]))
}

/** Keeps of a value what was selected. Long numbers become text: GraphQL's integers have 32 bits. */
function shape(value: unknown, field: Field, selection: Selection): unknown {
  const { type } = field
  if (!type) return typeof value === 'bigint' ? value.toString() : value
  if (Array.isArray(value)) return value.map(item => shape(item, field, selection))
  const source = value as Values
  return Object.fromEntries(
    selection.fields.map(inner => [
      inner.alias,
      inner.name === '__typename' ? type.name : shape(source[inner.name], type.fields[inner.name]!, inner),
    ]),
  )
}

function connection(args: Values, { call, state }: Context): unknown {
  const { first = 10, after, category } = args
  if (!Number.isInteger(first) || Number(first) < 1 || Number(first) > LARGEST_PAGE) {
    throw new Refusal(400, `first must be a whole number from 1 to ${LARGEST_PAGE}`)
  }
  const all = selectProducts({ category: typeof category === 'string' ? category : undefined })
  const start = readCursor(typeof after === 'string' ? after : undefined)
  const left = all.filter(product => product.id > start)
  const nodes = left.slice(0, Number(first)).map(product => recordOf(product, state.dayOf(call), call.origin))
  const last = nodes.at(-1)
  return {
    totalCount: all.length,
    pageInfo: { hasNextPage: left.length > nodes.length, endCursor: last ? cursorOf(last.id) : null },
    edges: nodes.map(node => ({ cursor: cursorOf(node.id), node })),
    nodes,
  }
}

function oneProduct({ id }: Values, { call, state }: Context): unknown {
  const product = findProduct(String(id))
  if (!product) throw new Refusal(404, `There is no product ${id}.`)
  return recordOf(product, state.dayOf(call), call.origin)
}

function setDay({ day }: Values, { state }: Context): number {
  state.setDay(String(day))
  return state.day
}
