import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { parseJson } from '../../language/json.ts'
import type { JobHeader } from './job-record.ts'
import { JobTally } from './job-tally.ts'
import { NumberSet } from './number-set.ts'
import type { TrackerState } from './tracker.ts'

export interface Recovered {
  readonly state: TrackerState
  readonly done: NumberSet
  readonly tally: JobTally
  readonly rows: number
  readonly bytes: number
  readonly longestLine: number
}

const BLOCK_BYTES = 1_000_000
const NEWLINE = 10

export const nothingRecovered = (): Recovered => ({
  state: { names: [], kinds: [] },
  done: new NumberSet(),
  tally: new JobTally(),
  rows: 0,
  bytes: 0,
  longestLine: 0,
})

/** Reads a journal up to its last whole job and cuts off what comes after it: half a job, or garbage. */
export async function recoverJournal(handle: FileHandle): Promise<Recovered> {
  const reader = new Reader(handle)
  const names: string[] = []
  const kinds: number[] = []
  const done = new NumberSet()
  const tally = new JobTally()
  let rows = 0
  let longestLine = 0
  let end = 0
  for (;;) {
    const header = readHeader(await reader.line())
    if (!header || !(await hasItsRows(header, reader))) break
    names.push(...(header._c ?? []))
    for (const [column, kind] of header._t ?? []) kinds[column] = kind
    done.add(header._i)
    tally.count(header._i, header._j)
    rows += header._n
    longestLine = Math.max(longestLine, header._l ?? 0)
    end = reader.position
  }
  await handle.truncate(end)
  return {
    state: { names, kinds: names.map((_, column) => kinds[column] ?? 0) },
    done,
    tally,
    rows,
    bytes: end,
    longestLine,
  }
}

function readHeader(line: Buffer | undefined): JobHeader | undefined {
  if (!line) return
  try {
    const header = parseJson(line.toString()) as JobHeader | null
    return typeof header?._i === 'number' ? header : undefined
  } catch {
    return
  }
}

const hasItsRows = ({ _b, _h, _k }: JobHeader, reader: Reader): boolean | Promise<boolean> =>
  _b === undefined || _h === undefined ? _k !== undefined : reader.matches(_b, _h)

/** Walks through a file by lines and stretches, holding one block of it. */
class Reader {
  readonly #handle: FileHandle
  #block = Buffer.alloc(0)
  #offset = 0
  position = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** The next line, or nothing where the file ends before the line does. */
  async line(): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    for (;;) {
      const rest = await this.#rest()
      if (rest.length === 0) return
      const newline = rest.indexOf(NEWLINE)
      parts.push(rest.subarray(0, newline < 0 ? rest.length : newline))
      this.#advance(newline < 0 ? rest.length : newline + 1)
      if (newline >= 0) return parts.length === 1 ? parts[0] : Buffer.concat(parts)
    }
  }

  /** Whether the next bytes are all there and have this checksum. */
  async matches(bytes: number, checksum: number): Promise<boolean> {
    let left = bytes
    let sum = 0
    while (left > 0) {
      const part = (await this.#rest()).subarray(0, left)
      if (part.length === 0) return false
      sum = crc32(part, sum)
      left -= part.length
      this.#advance(part.length)
    }
    return sum === checksum
  }

  #advance(bytes: number): void {
    this.#offset += bytes
    this.position += bytes
  }

  async #rest(): Promise<Buffer> {
    if (this.#offset === this.#block.length) {
      const { bytesRead, buffer } = await this.#handle.read(
        Buffer.alloc(BLOCK_BYTES),
        0,
        BLOCK_BYTES,
        this.position,
      )
      this.#block = buffer.subarray(0, bytesRead)
      this.#offset = 0
    }
    return this.#block.subarray(this.#offset)
  }
}
