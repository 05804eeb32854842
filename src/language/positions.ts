/** Lines and columns of offsets, both from 1; `\n`, `\r\n` and `\r` end a line, as in every editor. */
export interface Positions {
  at(offset: number): { readonly line: number; readonly column: number }
}

export function positionsOf(text: string): Positions {
  let starts: readonly number[] | undefined
  return {
    at(offset) {
      starts ??= lineStarts(text)
      const line = lineOf(starts, offset)
      return { line, column: offset - starts[line - 1]! + 1 }
    },
  }
}

export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1)
  }
  return starts
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle
  }
  return low + 1
}
