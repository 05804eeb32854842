/** The same, one read ahead: the next is made while whoever takes them is busy with the present one. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next()
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = items.next()
      // Whoever waits for it hears of its failure; until then nobody must take it for unheard.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await items.return(undefined)
  }
}

/** Begins something with each in turn, and makes the next one while that goes on. */
export async function eachInTurn<T>(
  items: AsyncGenerator<T>,
  begin: (item: T) => Promise<void>,
): Promise<void> {
  let next = items.next()
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      const begun = begin(value)
      next = items.next()
      next.catch(() => {})
      await begun
    }
  } finally {
    await next.catch(() => {})
    await items.return(undefined)
  }
}
