/** Whole numbers from 0, a bit for each: a `Set` takes some forty bytes for one, and a stage can have a million rows. */
export class NumberSet {
  #words = new Uint32Array(64)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
  }

  add(number: number): void {
    if (this.has(number)) return
    const word = number >>> 5
    if (word >= this.#words.length) this.#grow(word)
    this.#words[word]! |= 1 << (number & 31)
    this.#size++
  }

  #grow(word: number): void {
    const larger = new Uint32Array(Math.max(word + 1, this.#words.length * 2))
    larger.set(this.#words)
    this.#words = larger
  }
}
