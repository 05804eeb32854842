import { family, text } from './declaration.ts'

const digest = (name: string, title: string, result: string) =>
  [
    name,
    [text('text')],
    'text',
    `The ${title} digest of the text, in hexadecimal`,
    { expression: `${name}('a')`, result },
  ] as const

export const CODING = family('coding', [
  digest('md5', 'MD5', '0cc175b9c0f1b6a831c399e269772661'),
  digest('sha1', 'SHA-1', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'),
  digest('sha256', 'SHA-256', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'),
  ['base64', [text('text')], 'text', 'The text in Base64', { expression: "base64('é')", result: 'w6k=' }],
  [
    'unbase64',
    [text('text')],
    'text',
    'The text that was in Base64; missing when it is no text',
    { expression: "unbase64('w6k=')", result: 'é' },
  ],
  [
    'hex',
    [text('text')],
    'text',
    'The bytes of the text in hexadecimal',
    { expression: "hex('é')", result: 'c3a9' },
  ],
  ['uuid', [], 'text', 'A fresh random UUID for each row', { expression: 'uuid()' }],
])
