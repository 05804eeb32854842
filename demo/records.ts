import { type Category, centsOn, type Product, products } from './data.ts'

/** A product as a row of a list. */
export function rowOf(product: Product, day: number, origin: string) {
  return {
    id: product.id,
    uid: product.uid,
    name: product.name,
    brand: product.brand,
    category: product.category.slug,
    price: centsOn(product, day) / 100,
    currency: 'USD',
    rating: product.rating,
    stock: product.stock,
    added: product.added,
    url: `${origin}/shop/product/${product.id}`,
    image: `${origin}/pictures/${product.id}.svg`,
    attributes: product.attributes,
  }
}

/** A product on its own: the row, and what is nested deeper. */
export function recordOf(product: Product, day: number, origin: string) {
  const { description, specs, reviews } = product
  return { ...rowOf(product, day, origin), description, specs, reviews }
}

export function categoryRecord({ slug, title, blurb }: Category, origin: string) {
  const count = products.filter(product => product.category.slug === slug).length
  return { slug, title, blurb, products: count, url: `${origin}/shop/${slug}` }
}
