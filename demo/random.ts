/** Numbers that look random and are the same on every machine and every run. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    return scramble(this.#state) / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!
  }

  shuffle<T>(items: readonly T[]): T[] {
    const rest = [...items]
    return items.map(() => rest.splice(this.between(0, rest.length - 1), 1)[0]!)
  }
}

/** One number for a pair, for what must not depend on the order of asking: the price of a product on a day. */
export function hashOf(a: number, b: number): number {
  return scramble(Math.imul(a, 0x85ebca6b) ^ scramble(b))
}

function scramble(value: number): number {
  let mixed = value >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
