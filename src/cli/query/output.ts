import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExportFormat } from '../../engine/tables/export.ts'
import { Fault, systemCode } from '../../fault.ts'
import type { CliCall } from '../command.ts'

export type OutputFormat = 'table' | ExportFormat

const formats: readonly OutputFormat[] = ['table', 'json', 'ndjson', 'csv', 'parquet']
/** A table stands in memory until its columns are measured. */
const MOST_ROWS = 10_000

/** What is to be written, and where to. */
export interface Output {
  readonly format: OutputFormat
  readonly file: string | undefined
  /** Rows of a table. */
  readonly limit: number
  /** Of a table; without it as wide as it is. */
  readonly width: number | undefined
}

export function outputOf({ options }: Pick<CliCall, 'options'>): Output {
  const file = typeof options.output === 'string' ? options.output : undefined
  const named = file === undefined ? undefined : extname(file).slice(1).toLowerCase()
  const format = options.format ?? formats.find(known => known === named) ?? 'table'
  if (!isFormat(format))
    throw new Fault('usage', `there is no format "${format}"`, `--format takes ${formats.join(', ')}.`)
  if (format === 'parquet' && file === undefined && process.stdout.isTTY)
    throw new Fault('usage', 'Parquet is not text, and a terminal cannot show it', 'Add --output FILE.')
  const terminal = file === undefined && process.stdout.isTTY ? process.stdout.columns : undefined
  return {
    format,
    file,
    limit: numberOption(options, 'limit', 0, MOST_ROWS) ?? 100,
    width: numberOption(options, 'width', 1, Number.MAX_SAFE_INTEGER) ?? terminal,
  }
}

const isFormat = (text: unknown): text is OutputFormat => formats.includes(text as OutputFormat)

function numberOption(
  options: CliCall['options'],
  name: string,
  least: number,
  most: number,
): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const value = Number(given)
  if (/^\d+$/.test(String(given)) && value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  throw new Fault(
    'usage',
    `--${name} takes a whole number ${range}, not "${given}"`,
    'For all rows choose another format, for instance --format csv.',
  )
}

/** To standard output, or into the file, which is there only when it is whole. */
export async function write(content: Readable, file: string | undefined, signal: AbortSignal): Promise<void> {
  if (file === undefined) return toStandardOutput(content, signal)
  const isDevice = await stat(file).then(
    found => !found.isFile(),
    () => false,
  )
  const part = isDevice ? file : `${file}.part-${process.pid}`
  try {
    await pipeline(content, createWriteStream(part), { signal })
    if (!isDevice) await rename(part, file)
  } catch (error) {
    if (!isDevice) await rm(part, { force: true })
    if (signal.aborted || systemCode(error) === undefined) throw error
    throw new Fault(
      systemCode(error) === 'ENOSPC' ? 'disk_full' : 'failure',
      `${file} cannot be written: ${(error as Error).message}`,
      'Check the path of --output, and that there is room on its disk.',
      { cause: error },
    )
  }
}

/** Whoever reads it may have seen enough (`| head`): that is no failure. */
async function toStandardOutput(content: Readable, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(content, process.stdout, { signal, end: false })
  } catch (error) {
    if (systemCode(error) !== 'EPIPE') throw error
  }
}
