const whole = new Intl.NumberFormat('en')

export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : whole.format(value)

/** "1 row", "2,000 rows". */
export const counted = (value: number, noun: string): string =>
  `${whole.format(value)} ${noun}${value === 1 ? '' : 's'}`

const sizes = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const step = Math.min(sizes.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3))
  return step === 0 ? counted(value, 'byte') : `${(value / 1000 ** step).toFixed(1)} ${sizes[step]}`
}
