export const GOODS = 200_000

/** A row to deliver, of about 165 bytes as JSON: numbers, texts, two nested values, one that is rarely there. */
export interface Good {
  readonly id: number
  readonly name: string
  readonly price: string
  readonly score: number
  readonly qty: number
  readonly attributes: { readonly class: string; readonly href: string }
  readonly tags: readonly string[]
  readonly rare?: string
}

export const COLUMNS = ['id', 'name', 'price', 'score', 'qty', 'attributes', 'tags', 'rare'] as const

export const goods = (count = GOODS): Good[] =>
  Array.from({ length: count }, (_, i) => ({
    id: i,
    name: `Artikel ${(i * 7919) % 100_000}${i % 3 === 0 ? ' größer' : ''}`,
    price: (((i * 31) % 100_000) / 100).toFixed(2),
    score: ((i * 17) % 9973) / 7,
    qty: i % 90,
    attributes: { class: `c${i % 20}`, href: `/p/${i}` },
    tags: [`t${i % 5}`, `t${i % 7}`],
    ...(i % 10 === 0 && { rare: 'rare' }),
  }))
