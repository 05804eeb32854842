import { any, family, number, optional, repeated } from './declaration.ts'

export const NUMBERS = family('numbers', [
  [
    'number',
    [any('value')],
    'number',
    'The number in a text with currency, separators or units; true is 1, false 0',
    { expression: "number('$1,299.00')", result: 1299 },
  ],
  [
    'round',
    [number('value'), optional({ ...number('digits'), max: 15 })],
    'number',
    'Rounded to a whole number or to so many digits; halves away from zero',
    { expression: 'round(2.345, 1)', result: 2.3 },
  ],
  [
    'floor',
    [number('value')],
    'number',
    'The next lower whole number',
    { expression: 'floor(-1.5)', result: -2 },
  ],
  [
    'ceil',
    [number('value')],
    'number',
    'The next higher whole number',
    { expression: 'ceil(1.2)', result: 2 },
  ],
  ['abs', [number('value')], 'number', 'The number without its sign', { expression: 'abs(-3)', result: 3 }],
  [
    'sqrt',
    [number('value')],
    'number',
    'The square root; missing for negative numbers',
    { expression: 'sqrt(16)', result: 4 },
  ],
  [
    'pow',
    [number('base'), number('exponent')],
    'number',
    'A power',
    { expression: 'pow(2, 10)', result: 1024 },
  ],
  [
    'log',
    [number('value'), optional(number('base'))],
    'number',
    'The natural logarithm, or that to a base; missing unless the number is above 0',
    { expression: 'log(1000, 10)', result: 3 },
  ],
  [
    'min',
    [repeated(any('value'))],
    'number',
    'The least of several numbers or times, or of one list; missing ones do not count',
    { expression: 'min(3, 1, 2)', result: 1 },
  ],
  [
    'max',
    [repeated(any('value'))],
    'number',
    'The greatest of several numbers or times, or of one list; missing ones do not count',
    { expression: 'max(prices)', row: { prices: [3, '12.5', 7] }, result: 12.5 },
  ],
])
