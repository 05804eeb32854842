import type { Diagnostic, Span } from './diagnostics.ts'
import type { Message } from './messages.ts'
import type { Positions } from './positions.ts'

const MOST = 100

/** Collects what is wrong with one query: each place once, and no more than anybody would read. */
export class Problems {
  readonly list: Diagnostic[] = []
  readonly #positions: Positions

  constructor(positions: Positions) {
    this.#positions = positions
  }

  report(span: Span, message: Message): void {
    const { offset, length } = span
    if (this.list.length >= MOST || this.list.some(it => it.offset === offset && it.length === length)) return
    this.list.push({ ...message, ...this.#positions.at(offset), offset, length })
  }

  get any(): boolean {
    return this.list.length > 0
  }

  sorted(): Diagnostic[] {
    return this.list.toSorted((a, b) => a.offset - b.offset)
  }
}
