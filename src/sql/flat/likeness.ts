import type { Json, Row } from '../../language/json.ts'
import type { Relation } from '../relation.ts'
import { integer, join, literal, name, type Sql, sql } from '../sql.ts'
import { patternOf } from './pattern.ts'
import { ARRAY, EMPTY, hasNothing, kindOf, OBJECT, type Probe, pointer, pointers, type Tree } from './tree.ts'

/** With more places than this, to ask for all of them at once is no gain. */
const MOST_PLACES = 200
/** Bytes; of longer texts a pattern takes more time than a parser. */
const SHORT = 100

/** One thing that is looked at of a row at some places of a column: a list with an item for each of several places. */
interface Facet {
  readonly id: string
  readonly value: Sql
  readonly places: readonly Tree[]
  /** Sums up the items of a place, over all rows that are unlike the usual one. */
  readonly figure: (item: Sql) => Sql
  /** Whether such a figure is nothing new to the place. */
  readonly isKnown: (figure: Json | undefined, place: Tree) => boolean
}

/**
 * Whether no row has a key, an item or a kind of value that the trees, which were found in its beginning, do not have.
 * Rows are sifted first, by something cheap; only those that are left are taken apart.
 */
export async function isLike(
  relation: Relation,
  beginning: Relation,
  trees: readonly Tree[],
  probe: Probe,
): Promise<boolean> {
  const nested = trees.filter(tree => tree.column.type === 'JSON')
  const places = nested.flatMap(tree => tree.all())
  if (places.length > MOST_PLACES) return false
  const facets = nested.map((tree, index) => facetsOf(tree.all(), index))
  const unusual = await sieve(beginning, nested, facets, probe)
  if (!unusual) return false
  const all = facets.flat()
  const left = sql`SELECT DISTINCT * FROM (SELECT ${valuesOf(all)} FROM (${relation.sql}) WHERE ${unusual})`
  const [others] = await probe(sql`SELECT ${join(figures(all), ', ')} FROM (${left})`)
  const isKnown = ({ id, places: own, isKnown: known }: Facet) =>
    own.every((place, index) => known(others?.[`${id}_${index}`], place))
  const parents = places.filter(place => place.children.length > 0)
  const hasNewEmpty = parents.some(
    (place, index) => others?.[`e_${index}`] === true && !(place.kinds & EMPTY),
  )
  return all.every(isKnown) && !hasNewEmpty
}

/**
 * True of a row that has to be taken apart. A short text is held against a pattern, in two thirds of the time that it
 * takes to ask for its keys and kinds; these are compared with what is usual where the text is long.
 */
async function sieve(
  beginning: Relation,
  trees: readonly Tree[],
  facets: readonly (readonly Facet[])[],
  probe: Probe,
): Promise<Sql | undefined> {
  const lengths = trees.map((tree, index) => sql`avg(strlen(${idOf(tree)})) AS ${name(`l${index}`)}`)
  const [mean] = await probe(sql`SELECT ${join(lengths, ', ')} FROM (${beginning.sql})`)
  const isShort = (index: number) => Number(mean?.[`l${index}`] ?? 0) <= SHORT
  const long = facets.filter((_, index) => !isShort(index)).flat()
  const [usual] =
    long.length > 0
      ? await probe(
          sql`SELECT * FROM (SELECT ${valuesOf(long)} FROM (${beginning.sql})) GROUP BY ALL ORDER BY count(*) DESC LIMIT 1`,
        )
      : [{}]
  if (!usual) return undefined
  const conditions = trees.map((tree, index) =>
    isShort(index)
      ? sql`NOT coalesce(regexp_full_match(${idOf(tree)}, ${literal(patternOf(tree))}), true)`
      : differs(facets[index]!, usual),
  )
  return join(conditions, ' OR ')
}

const idOf = (tree: Tree): Sql => name(tree.column.id)

const valuesOf = (facets: readonly Facet[]): Sql =>
  join(
    facets.map(({ id, value }) => sql`${value} AS ${name(id)}`),
    ', ',
  )

function facetsOf(places: readonly Tree[], index: number): Facet[] {
  const column = name(places[0]!.column.id)
  const objects = places.filter(place => place.kinds & OBJECT)
  const arrays = places.filter(place => place.kinds & ARRAY)
  const facets: Facet[] = [
    {
      id: `t${index}`,
      value: sql`json_type(${column}, ${at(places)})`,
      places,
      figure: type => sql`bit_or(${kindOf(type)}) FILTER (WHERE ${type} IS NOT NULL)`,
      isKnown: (kinds, place) => (Number(kinds ?? 0) & ~place.kinds) === 0,
    },
    {
      id: `k${index}`,
      value: sql`json_keys(${column}, ${at(objects)})`,
      places: objects,
      figure: keys => sql`list_distinct(flatten(list(${keys})))`,
      isKnown: (keys, place) => ((keys ?? []) as string[]).every(key => place.has(key)),
    },
    {
      id: `a${index}`,
      value: sql`json_array_length(${column}, ${at(arrays)})`,
      places: arrays,
      figure: length => sql`max(${length})`,
      isKnown: (length, place) => !length || place.has(String(Number(length) - 1)),
    },
  ]
  return facets.filter(facet => facet.places.length > 0)
}

/** A list of lists takes twice as long to compare: a single place is asked for by itself. */
const at = (places: readonly Tree[]): Sql => (places.length === 1 ? pointer(places[0]!) : pointers(places))

const item = ({ id, places }: Facet, index: number): Sql =>
  places.length === 1 ? name(id) : sql`${name(id)}[${integer(index + 1)}]`

function figures(facets: readonly Facet[]): Sql[] {
  const types = new Map(
    facets
      .filter(facet => facet.id.startsWith('t'))
      .flatMap(facet => facet.places.map((place, index) => [place, item(facet, index)])),
  )
  const empty = [...types.keys()]
    .filter(place => place.children.length > 0)
    .map((place, index) => sql`bool_or(${hasNothing(place, types)}) AS ${name(`e_${index}`)}`)
  const own = facets.flatMap(facet =>
    facet.places.map(
      (_, index) => sql`${facet.figure(item(facet, index))} AS ${name(`${facet.id}_${index}`)}`,
    ),
  )
  return [...own, ...empty]
}

const differs = (facets: readonly Facet[], usual: Row): Sql =>
  join(
    facets.map(({ id, value }) => sql`${value} IS DISTINCT FROM ${constant(usual[id] ?? null)}`),
    ' OR ',
  )

function constant(value: Json): Sql {
  if (value === null) return sql`NULL`
  if (Array.isArray(value)) return sql`[${join(value.map(constant), ', ')}]`
  return typeof value === 'number' ? integer(value) : literal(String(value))
}
