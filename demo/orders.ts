import { centsOn, dateOf, products } from './data.ts'
import { Dice } from './random.ts'

export interface Order {
  id: number
  placed: string
  customer: string
  country: string
  productId: number
  product: string
  category: string
  quantity: number
  total: number
  status: string
}

const CUSTOMERS = ['Amara', 'Bèatrice', 'Cai', 'Dmitri', 'Eŭlalia', 'Finn', 'Gül', 'Hana', 'Iñaki', 'Jun']
const COUNTRIES = ['DE', 'DE', 'FR', 'GB', 'JP', 'NO', 'US', 'US', 'US', 'BR']
const STATUSES = ['delivered', 'delivered', 'delivered', 'delivered', 'returned', 'cancelled']
const DAYS = 365

/** A year of orders in the order of their times: quiet in summer, busy before the end of the year, so that a chart has a shape. */
export const orders: readonly Order[] = makeOrders()

function makeOrders(): Order[] {
  const dice = new Dice(2025)
  const list: Order[] = []
  for (let day = 0; day < DAYS; day++) {
    const season = 2.6 + 1.4 * Math.cos((2 * Math.PI * day) / DAYS) + (day > 320 ? 3 : 0)
    const seconds = Array.from({ length: Math.round(season * (0.5 + dice.next())) }, () =>
      dice.between(0, 86_399),
    )
    for (const second of seconds.sort((a, b) => a - b))
      list.push(makeOrder(dice, list.length + 1, day, second))
  }
  return list
}

function makeOrder(dice: Dice, number: number, day: number, second: number): Order {
  const product = dice.pick(products)
  const quantity = dice.pick([1, 1, 1, 1, 2, 3])
  return {
    id: 10_000 + number,
    placed: `${dateOf(day)}T${new Date(second * 1000).toISOString().slice(11, 19)}Z`,
    customer: dice.pick(CUSTOMERS),
    country: dice.pick(COUNTRIES),
    productId: product.id,
    product: product.name,
    category: product.category.slug,
    quantity,
    total: (centsOn(product, day) * quantity) / 100,
    status: dice.pick(STATUSES),
  }
}
