import type { Session, Stage } from './session.ts'

const EVERY_MS = 150
const CLEAR_LINE = '\r\x1b[K'

/** Where lines about stages go. */
export interface Terminal {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/**
 * A line for each stage. On a terminal it lives: the stage that runs is shown as it goes on, one that is done stays
 * above. Elsewhere the lines come when all is over, and only when they are wanted.
 */
export async function follow<T>(
  session: Session,
  id: string,
  work: Promise<T>,
  terminal: Terminal,
  verbose: boolean,
): Promise<T> {
  const lines = new StageLines(terminal)
  const timer = terminal.isTTY ? setInterval(() => void look(), EVERY_MS) : undefined
  let looking: Promise<void> | undefined
  // What fails here, fails in the work too, which tells.
  const look = () => {
    looking ??= session
      .stages(id)
      .then(
        stages => lines.show(stages),
        () => {},
      )
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  try {
    return await work
  } finally {
    clearInterval(timer)
    await looking
    if (terminal.isTTY || verbose) lines.end(await session.stages(id).catch(() => []))
  }
}

class StageLines {
  readonly #terminal: Terminal
  #printed = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  show(stages: readonly Stage[]): void {
    this.#print(stages, stage => stage.status === 'completed')
    const running = stages[this.#printed]
    if (running?.status === 'running')
      this.#terminal.write(`${CLEAR_LINE}${this.#fitted(stageLine(running, stages))}`)
  }

  end(stages: readonly Stage[]): void {
    this.#print(stages, stage => stage.status !== 'queued')
    if (this.#terminal.isTTY) this.#terminal.write(CLEAR_LINE)
  }

  #print(stages: readonly Stage[], isOver: (stage: Stage) => boolean): void {
    for (; this.#printed < stages.length && isOver(stages[this.#printed]!); this.#printed++) {
      const line = stageLine(stages[this.#printed]!, stages)
      this.#terminal.write(this.#terminal.isTTY ? `${CLEAR_LINE}${this.#fitted(line)}\n` : `${line}\n`)
    }
  }

  #fitted(line: string): string {
    return line.slice(0, (this.#terminal.columns ?? 80) - 1)
  }
}

const marks: Readonly<Record<Stage['status'], string>> = {
  queued: ' ',
  running: '…',
  completed: '✓',
  failed: '✗',
  cancelled: '✗',
  expired: ' ',
}

/** ✓ 2 filter  142,857 rows  0.12 s  from the cache */
export function stageLine(stage: Stage, stages: readonly Stage[]): string {
  const width = Math.max(...stages.map(({ command }) => command.length))
  const name = `${marks[stage.status]} ${String(stage.index).padStart(String(stages.length - 1).length)} ${stage.command.padEnd(width)}`
  return [name, ...details(stage)].join('  ')
}

function details(stage: Stage): string[] {
  const { rows, jobs, failedRows, startedAt, durationMs, fromCache, status } = stage
  const texts: string[] = []
  if (rows !== null) texts.push(counted(rows, 'row'))
  else if (jobs) texts.push(`${jobs.done.toLocaleString('en')} of ${counted(jobs.total, 'row')} done`)
  // Its rows were never apart from those of the stage that it was fused with.
  else if (status === 'completed') texts.push(fromCache ? '' : 'in one with the next')
  if (failedRows > 0) texts.push(`${failedRows.toLocaleString('en')} failed`)
  if (fromCache) texts.push('from the cache')
  else if (rows !== null || status !== 'completed') texts.push(seconds(elapsed(durationMs, startedAt)))
  if (status === 'failed' || status === 'cancelled') texts.push(status)
  return texts.filter(text => text !== '')
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const elapsed = (durationMs: number | null, startedAt: string | null): number =>
  durationMs ?? (startedAt === null ? 0 : Date.now() - Date.parse(startedAt))

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
