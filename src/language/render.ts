import type { Diagnostic } from './diagnostics.ts'
import { lineStarts } from './positions.ts'

/** A diagnostic as text: what is wrong, the line with the place marked, and the remedy. */
export function renderDiagnostic(query: string, diagnostic: Diagnostic): string {
  const { line, column, message, hint, suggestion } = diagnostic
  const starts = lineStarts(query)
  const start = starts[line - 1] ?? 0
  const text = query.slice(start, starts[line] ?? query.length).replace(/[\r\n]+$/, '')
  const { shown, before } = aroundColumn(text, column - 1)
  const gutter = String(line)
  const length = Math.min(diagnostic.length, text.length - (column - 1))
  const room = [...shown].length - width(before)
  const marked = text.slice(column - 1, column - 1 + length)
  const carets = '^'.repeat(Math.max(1, Math.min(width(marked), room)))
  const lines = [
    `error at line ${line}, column ${column}: ${message}`,
    `  ${gutter} | ${shown}`,
    `  ${' '.repeat(gutter.length)} | ${' '.repeat(width(before))}${carets}`,
  ]
  if (hint) lines.push(`  hint: ${hint}`)
  // Where the hint shows it already, once is enough.
  if (suggestion !== undefined && !hint?.includes(suggestion)) lines.push(`  try: ${suggestion}`)
  return lines.join('\n')
}

export const renderDiagnostics = (query: string, diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map(diagnostic => renderDiagnostic(query, diagnostic)).join('\n\n')

const WIDEST = 100

/** A long line is cut around the place; tabs become spaces, so that the caret stands below what it marks. */
function aroundColumn(line: string, column: number): { shown: string; before: string } {
  const from = column > WIDEST * 0.7 ? column - WIDEST / 2 : 0
  const cut = line
    .slice(from, from + WIDEST)
    .replaceAll('\t', ' ')
    .toWellFormed()
  const head = from > 0 ? '…' : ''
  const tail = from + WIDEST < line.length ? '…' : ''
  return { shown: head + cut + tail, before: head + cut.slice(0, column - from) }
}

const width = (text: string): number => [...text].length
