/** One line of the table that a run prints. */
export interface Figure {
  readonly name: string
  readonly unit: 'ms' | 'µs' | 'MB' | 'a second' | 'failed'
  readonly ours: number
  /** What the bare peer took for the same, in the same run. */
  readonly peer?: number
  /** Of the ratio where there is a peer, of our own figure where there is none. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number }
}

/** A part of `npm run bench`: measures and gives what it found. */
export type Subject = () => Promise<Figure[]>

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/**
 * Both in turns, so that whatever else the machine does meanwhile is done to both; the first round only warms up. The
 * best round counts: the others differ from it by what the machine did besides.
 */
export async function sideBySide(
  rounds: number,
  ours: () => Promise<number>,
  peer: () => Promise<number>,
): Promise<{ readonly ours: number; readonly peer: number }> {
  const figures = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [mine, theirs] = [await ours(), await peer()]
    if (round === 0) continue
    figures.ours.push(mine)
    figures.peer.push(theirs)
  }
  return { ours: Math.min(...figures.ours), peer: Math.min(...figures.peer) }
}

const HEADINGS = ['', 'ours', 'peer', 'ratio', 'target', '']

export function table(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(cells)]
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map(row => row[at]!.length)))
  return rows
    .map(row => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))))
    .map(row => `  ${row.join('  ').trimEnd()}\n`)
    .join('')
}

function cells({ name, unit, ours, peer, target }: Figure): string[] {
  const ratio = peer === undefined ? undefined : ours / peer
  const judged = ratio ?? ours
  return [
    `${name} (${unit})`,
    shown(ours),
    peer === undefined ? '' : shown(peer),
    ratio === undefined ? '' : ratio.toFixed(2),
    target ? ('atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`) : '',
    target
      ? ('atMost' in target ? judged <= target.atMost : judged >= target.atLeast)
        ? 'met'
        : 'missed'
      : '',
  ]
}

const shown = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
