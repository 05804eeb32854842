import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { publish } from '../tables/copy.ts'
import { TableError } from '../tables/errors.ts'
import { Semaphore } from '../tables/semaphore.ts'
import type { StageFile } from '../tables/stage-file.ts'
import type { SandboxAnswer, SandboxRequest, SandboxTable } from './protocol.ts'

export interface SandboxOptions {
  /** For the memory of DuckDB in the child; the child as a whole gets a ceiling a little above. */
  readonly memoryMb: number
  /** Where the child's script is, when it is not beside this file. */
  readonly entry?: URL
  readonly concurrency?: number
}

export interface SandboxRun {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** What Node and DuckDB take before they do anything, with room for two threads at work. */
const OVERHEAD_MB = 700

/**
 * Runs a user's SELECT in a process made for that run. Starting one takes a fifth of a second, so a spare is kept
 * ready; after a run, well or ill, its process is killed.
 */
export class Sandbox {
  readonly #options: SandboxOptions
  readonly #entry: string
  readonly #places: Semaphore
  readonly #children = new Set<ChildProcess>()
  #spare: ChildProcess | undefined
  #closed = false

  constructor(options: SandboxOptions) {
    this.#options = options
    this.#places = new Semaphore(options.concurrency ?? 2)
    const here = import.meta.url
    const beside = here.endsWith('.ts') ? './child.ts' : './sandbox-child.mjs'
    this.#entry = fileURLToPath(options.entry ?? new URL(beside, here))
  }

  /** Has a process ready for the next run. */
  warm(): void {
    if (this.#closed || this.#spare) return
    this.#spare = this.#start()
  }

  /** Runs the text over the tables and writes the rows to the file. */
  async run(
    text: string,
    tables: readonly SandboxTable[],
    file: string,
    options: SandboxRun,
  ): Promise<StageFile> {
    checkNames(tables)
    const release = await this.#places.acquire(options.signal)
    const base = `${file}.${randomUUID()}`
    const request = { text, tables, out: `${base}.part`, draft: `${base}.draft`, spill: `${base}.spill` }
    try {
      await mkdir(request.spill, { mode: 0o700 })
      const { columns, rows } = await this.#ask(request, options)
      await publish(request.out, file)
      return { file, columns, rows, bytes: (await stat(file)).size }
    } finally {
      for (const path of [request.out, request.draft, request.spill])
        await rm(path, { recursive: true, force: true })
      release()
    }
  }

  /** Ends every process, also one that is at work. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#children].map(end))
  }

  async #ask(request: SandboxRequest, options: SandboxRun): Promise<SandboxAnswer & { ok: true }> {
    options.signal?.throwIfAborted()
    if (this.#closed) throw new TableError('table_closed', 'The table engine has been stopped.')
    const child = this.#spare ?? this.#start()
    this.#spare = undefined
    this.warm()
    child.ref()
    child.channel?.ref()
    try {
      const answer = await answerOf(child, request, options)
      if (answer.ok) return answer
      throw new TableError(answer.code, answer.message, answer.hint)
    } finally {
      await end(child)
    }
  }

  #start(): ChildProcess {
    const { memoryMb } = this.#options
    const command = [process.execPath, '--max-old-space-size=128', this.#entry, String(memoryMb)]
    const ceilingKb = (memoryMb + OVERHEAD_MB) * 1024
    const [program, args] =
      process.platform === 'linux'
        ? ['/bin/sh', ['-c', `ulimit -c 0; ulimit -d ${ceilingKb} && exec "$@"`, 'sh', ...command]]
        : [command[0]!, command.slice(1)]
    // Nothing of our environment: a secret in it would be one `getenv` away.
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {}, cwd: '/' })
    this.#children.add(child)
    child.once('exit', () => {
      this.#children.delete(child)
      if (this.#spare === child) this.#spare = undefined
    })
    child.on('error', () => this.#children.delete(child))
    // A spare that waits keeps nobody from ending.
    child.unref()
    child.channel?.unref()
    return child
  }
}

/** The answer; or why there is none: out of time, called off, or dead, which is what the memory ceiling looks like. */
function answerOf(child: ChildProcess, request: SandboxRequest, options: SandboxRun): Promise<SandboxAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SandboxAnswer>()
  const abort = () => reject(options.signal?.reason)
  const timer = setTimeout(() => reject(outOfTime(options.timeoutMs)), options.timeoutMs)
  options.signal?.addEventListener('abort', abort, { once: true })
  child.once('message', answer => resolve(answer as SandboxAnswer))
  child.once('exit', () => reject(died()))
  child.once('error', error => reject(error))
  child.send(request, error => error && reject(died()))
  return promise.finally(() => {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', abort)
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.ref()
  child.kill('SIGKILL')
  await gone
}

/** DuckDB cannot tell `A` from `a`: rather refuse than read the wrong one. */
function checkNames(tables: readonly SandboxTable[]): void {
  const seen = new Map<string, string>()
  for (const { name } of tables) {
    const same = seen.get(name.toLowerCase())
    if (same !== undefined)
      throw new TableError(
        'sql_refused',
        `SQL cannot tell the stages ${JSON.stringify(same)} and ${JSON.stringify(name)} apart: it ignores letter case.`,
        'Give one of them another label.',
      )
    seen.set(name.toLowerCase(), name)
  }
}

const outOfTime = (timeoutMs: number): TableError =>
  new TableError(
    'sql_timeout',
    `The SQL did not finish within ${timeoutMs / 1000} s and was stopped.`,
    'Filter first, or look for a recursion or a cross join that does not end.',
  )

const died = (): TableError =>
  new TableError(
    'sql_memory',
    'The process that ran the SQL was ended by the system, most likely because it needed too much memory.',
    'Filter first, or ask for less at once.',
  )
