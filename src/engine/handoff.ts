type Offer<T> = { readonly item: T } | { readonly error: unknown } | 'end'

/** Hands items from whoever makes them to whoever asks for them, one at a time: none is made before the last was used. */
export class Handoff<T> {
  readonly #work: (give: (item: T) => Promise<void>) => Promise<unknown>

  /** The work begins with the first question. */
  constructor(work: (give: (item: T) => Promise<void>) => Promise<unknown>) {
    this.#work = work
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let offered = Promise.withResolvers<Offer<T>>()
    let used = Promise.withResolvers<void>()
    let last: Offer<T> | undefined
    // Not by a race with the work: its promise would keep every item that it was ever raced with.
    const finish = (offer: Offer<T>) => {
      last = offer
      offered.resolve(offer)
    }
    const give = (item: T): Promise<void> => {
      offered.resolve({ item })
      return used.promise
    }
    this.#work(give).then(
      () => finish('end'),
      error => finish({ error }),
    )
    for (;;) {
      const offer = await offered.promise
      if (offer === 'end') return
      if ('error' in offer) throw offer.error
      yield offer.item
      offered = Promise.withResolvers()
      // The work may have ended while its last item was being used.
      if (last) offered.resolve(last)
      used.resolve()
      used = Promise.withResolvers()
    }
  }
}
