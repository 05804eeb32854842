import { CATEGORIES, type CategoryWords, COLORS, OPINIONS, REVIEWERS, TAGS } from './catalog.ts'
import { Dice, hashOf } from './random.ts'

export interface Category {
  slug: string
  title: string
  blurb: string
}

export interface Review {
  author: string
  stars: number
  date: string
  text: string
}

export interface Product {
  id: number
  /** Beyond 2^60: a reader that takes JSON numbers for doubles gets a wrong one, for each product. */
  uid: bigint
  name: string
  brand: string
  category: Category
  /** The price on day 0. */
  cents: number
  rating: number
  stock: number
  added: string
  description: string
  attributes: {
    color: string
    grams: number
    dimensions: { width: number; height: number; depth: number }
    tags: string[]
  }
  specs: Record<string, string>
  reviews: Review[]
}

// Doubles near 2^60 are 256 apart, so a number one above a multiple of 256 is never a double.
const FIRST_UID = 2n ** 60n + 1n
const UID_STEP = 256n * 3_907n
const START = Date.UTC(2025, 0, 1)
const DAY_MS = 86_400_000

/** Days after the first of January 2025, the day on which the shop's calendar begins. */
export function dateOf(day: number): string {
  return new Date(START + day * DAY_MS).toISOString().slice(0, 10)
}

export const categories: readonly Category[] = CATEGORIES.map(({ slug, title, blurb }) => ({
  slug,
  title,
  blurb,
}))

export const products: readonly Product[] = makeProducts()

const byId = new Map(
  products.flatMap(product => [
    [String(product.id), product] as const,
    [String(product.uid), product] as const,
  ]),
)

/** By the short number or by the long one. */
export function findProduct(id: string): Product | undefined {
  return byId.get(id)
}

export function findCategory(slug: string): Category | undefined {
  return categories.find(category => category.slug === slug)
}

/** The products of a category or of all, whose name or description has all the words, letter case ignored. */
export function selectProducts(choice: {
  category?: string | undefined
  words?: string | undefined
}): Product[] {
  const words = (choice.words ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return products.filter(product => {
    const text = `${product.name} ${product.category.title} ${product.description}`.toLowerCase()
    const inCategory = choice.category === undefined || product.category.slug === choice.category
    return inCategory && words.every(word => text.includes(word))
  })
}

/** About one product in six gets another price each day, and keeps it until its next change. */
export function centsOn(product: Product, day: number): number {
  for (let date = day; date > 0; date--) {
    const roll = hashOf(product.id, date)
    if (roll % 6 === 0) return Math.round((product.cents * (80 + ((roll >>> 8) % 31))) / 10_000) * 100 - 1
  }
  return product.cents
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export function formatCents(cents: number): string {
  return dollars.format(cents / 100)
}

function makeProducts(): Product[] {
  const dice = new Dice(1968)
  const named = CATEGORIES.flatMap(words =>
    words.brands.flatMap(brand =>
      words.lines.map((line, kind) => ({ words, brand, kind, name: `${brand} ${line}` })),
    ),
  )
  return dice.shuffle(named).map((item, index) => makeProduct(dice, index + 1, item))
}

interface NamedProduct {
  words: CategoryWords
  brand: string
  /** The position of its line among the category's. */
  kind: number
  name: string
}

function makeProduct(dice: Dice, id: number, item: NamedProduct): Product {
  const { words } = item
  const reviews = makeReviews(dice)
  const [width, height, depth] = words.size
  return {
    id,
    uid: FIRST_UID + BigInt(id) * UID_STEP,
    name: item.name,
    brand: item.brand,
    category: categories[CATEGORIES.indexOf(words)]!,
    cents: dice.between(...words.prices) * 100 + dice.pick([0, 0, 50, 99]),
    rating: averageStars(reviews),
    stock: dice.pick([0, 2, 3, 8, 15, 24, 40]),
    added: dateOf(dice.between(0, 300)),
    description: describe(dice, item.name, words),
    attributes: {
      color: dice.pick(COLORS),
      grams: dice.between(...words.grams),
      dimensions: {
        width: width + dice.between(-6, 6),
        height: height + dice.between(-2, 2),
        depth: depth + dice.between(-2, 2),
      },
      tags: dice.shuffle(TAGS).slice(0, dice.between(0, 3)),
    },
    specs: Object.fromEntries(
      Object.entries(words.specs).map(([name, values], index) => [
        name,
        index ? dice.pick(values) : values[item.kind]!,
      ]),
    ),
    reviews,
  }
}

/** Nobody writes twice about a product, and as long as there are other words nobody repeats another's. */
function makeReviews(dice: Dice): Review[] {
  const reviews: Review[] = []
  for (const author of dice.shuffle(REVIEWERS).slice(0, dice.between(2, 6))) {
    const stars = dice.pick([5, 5, 5, 5, 4, 4, 4, 3, 2, 1])
    const opinions = OPINIONS[stars]!
    const fresh = opinions.filter(text => !reviews.some(review => review.text === text))
    reviews.push({
      author,
      stars,
      date: dateOf(dice.between(0, 330)),
      text: dice.pick(fresh.length > 0 ? fresh : opinions),
    })
  }
  return reviews
}

function averageStars(reviews: readonly Review[]): number {
  const sum = reviews.reduce((total, review) => total + review.stars, 0)
  return Math.round((sum / reviews.length) * 10) / 10
}

/** Two sentences, and with some products a second line: commas, quotes and line breaks are what CSV readers stumble over. */
function describe(dice: Dice, name: string, words: CategoryWords): string {
  const [first, second] = dice.shuffle(words.pitch)
  const text = `The ${name} ${first!}, and it ${second!}.`
  return dice.next() < 0.2 ? `${text}\nOur pick: "simply good".` : text
}
