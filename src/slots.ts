/**
 * Things that come and go all the time, each with a place that it can be taken out by. Not a `Set`: that one makes itself
 * anew every so often, its old selves hold on to the new ones, and the collector then takes everything in it for
 * lasting. With a job a slot, the heap grew by 2 kB for each of them until the next full collection.
 */
export class Slots<T> {
  readonly #items: (T | undefined)[] = []
  readonly #free: number[] = []

  get size(): number {
    return this.#items.length - this.#free.length
  }

  /** Its place. */
  add(item: T): number {
    const place = this.#free.pop() ?? this.#items.length
    this.#items[place] = item
    return place
  }

  remove(place: number): void {
    this.#items[place] = undefined
    this.#free.push(place)
  }

  /** In no order. */
  all(): T[] {
    return this.#items.filter(item => item !== undefined)
  }
}
