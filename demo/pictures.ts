import { findProduct, type Product } from './data.ts'
import { type Markup, markup } from './markup.ts'
import { hashOf } from './random.ts'
import { Refusal, reply } from './reply.ts'
import type { Router } from './router.ts'

/** Body, its shade and its light side, for each color that a product can have. */
const PAINTS: Record<string, Paint> = {
  graphite: { body: '#4a4f55', shade: '#33373c', light: '#6b7178' },
  silver: { body: '#c3c9cf', shade: '#9aa2ab', light: '#e3e7eb' },
  moss: { body: '#6f8f62', shade: '#516c46', light: '#93ae86' },
  sand: { body: '#d8bf97', shade: '#b79b6f', light: '#ead9bd' },
  midnight: { body: '#31456a', shade: '#212f4b', light: '#4f6794' },
  rust: { body: '#b5603d', shade: '#8d4527', light: '#d08461' },
}

interface Paint {
  body: string
  shade: string
  light: string
}

const BACKGROUNDS = ['#e9f0e6', '#f3ece0', '#e6eef2', '#f1e8ea', '#ecebf4', '#eef1e2']

const DRAWINGS: Record<string, (paint: Paint, turn: number) => Markup> = {
  laptops: drawLaptop,
  phones: drawPhone,
  headphones: drawHeadphones,
  cameras: drawCamera,
  keyboards: drawKeyboard,
}

/** 400 by 300, the thing itself in the middle, nothing from elsewhere. */
function drawProduct(product: Product): string {
  const turn = hashOf(product.id, 7)
  const paint = PAINTS[product.attributes.color]!
  const drawing = DRAWINGS[product.category.slug]!(paint, turn)
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="400" height="300" role="img"><title>${product.name}</title>
<rect width="400" height="300" fill="${BACKGROUNDS[turn % BACKGROUNDS.length]}"/>
<circle cx="${110 + (turn % 180)}" cy="120" r="${70 + (turn % 40)}" fill="#fff" opacity="0.45"/>
<ellipse cx="200" cy="243" rx="132" ry="11" fill="#1f2a24" opacity="0.12"/>
${drawing}
</svg>
`.text
}

function drawLaptop({ body, shade, light }: Paint, turn: number): Markup {
  const screen = ['#9fc4c9', '#a9bfe0', '#c9b3d6', '#b6d0a8'][turn % 4]
  return markup`<rect x="98" y="72" width="204" height="142" rx="10" fill="${body}"/>
<rect x="107" y="81" width="186" height="122" rx="3" fill="${screen}"/>
<path d="M107 178c40-34 66-4 96-22s52-34 90-16v60a3 3 0 0 1-3 3H110a3 3 0 0 1-3-3z" fill="#fff" opacity="0.5"/>
<circle cx="${140 + (turn % 100)}" cy="112" r="13" fill="#fff" opacity="0.7"/>
<path d="M70 214h260l8 18a8 8 0 0 1-8 10H70a8 8 0 0 1-8-10z" fill="${light}"/>
<path d="M62 232h276a8 8 0 0 1-8 10H70a8 8 0 0 1-8-10z" fill="${shade}"/>
<rect x="172" y="214" width="56" height="6" rx="3" fill="${shade}"/>`
}

function drawPhone({ body, shade, light }: Paint, turn: number): Markup {
  const lenses = 1 + (turn % 3)
  const dots = Array.from(
    { length: lenses },
    (_, index) =>
      markup`<circle cx="137" cy="${72 + index * 21}" r="8" fill="#22272c"/><circle cx="137" cy="${72 + index * 21}" r="3.5" fill="#5b7f96"/>`,
  )
  return markup`<rect x="112" y="44" width="102" height="196" rx="19" fill="${body}"/>
<rect x="112" y="44" width="12" height="196" rx="6" fill="${light}" opacity="0.6"/>
<rect x="123" y="58" width="28" height="${lenses * 21 + 7}" rx="13" fill="${shade}"/>${dots}
<rect x="190" y="50" width="104" height="192" rx="19" fill="#22272c"/>
<rect x="196" y="56" width="92" height="180" rx="14" fill="${light}"/>
<path d="M196 180c26-30 58 8 92-26v68a14 14 0 0 1-14 14h-64a14 14 0 0 1-14-14z" fill="${shade}" opacity="0.7"/>
<rect x="226" y="62" width="32" height="8" rx="4" fill="#22272c"/>
<text x="242" y="118" font-family="sans-serif" font-size="27" font-weight="600" fill="#fff" text-anchor="middle">${9 + (turn % 3)}:${10 + (turn % 49)}</text>`
}

function drawHeadphones({ body, shade, light }: Paint, turn: number): Markup {
  const band = 10 + (turn % 8)
  return markup`<path d="M112 176V150a88 88 0 0 1 176 0v26" fill="none" stroke="${shade}" stroke-width="${band}" stroke-linecap="round"/>
<path d="M140 86a88 88 0 0 1 120 0" fill="none" stroke="${light}" stroke-width="${band + 6}" stroke-linecap="round"/>
<rect x="128" y="152" width="30" height="86" rx="15" fill="#2b3034"/>
<rect x="242" y="152" width="30" height="86" rx="15" fill="#2b3034"/>
<rect x="90" y="148" width="48" height="94" rx="24" fill="${body}"/>
<rect x="262" y="148" width="48" height="94" rx="24" fill="${body}"/>
<rect x="99" y="162" width="13" height="66" rx="6.5" fill="${light}"/>
<rect x="288" y="162" width="13" height="66" rx="6.5" fill="${light}"/>`
}

function drawCamera({ body, shade, light }: Paint, turn: number): Markup {
  const glass = ['#7fa6b8', '#8d8fc0', '#7fb096'][turn % 3]
  return markup`<path d="M150 92l14-24h72l14 24z" fill="${shade}"/>
<rect x="104" y="78" width="34" height="16" rx="5" fill="#2b3034"/>
<rect x="270" y="80" width="26" height="14" rx="4" fill="#2b3034"/>
<rect x="84" y="90" width="232" height="148" rx="16" fill="#2b3034"/>
<path d="M84 106a16 16 0 0 1 16-16h200a16 16 0 0 1 16 16v14H84z" fill="${body}"/>
<path d="M84 212h232v10a16 16 0 0 1-16 16H100a16 16 0 0 1-16-16z" fill="${body}"/>
<circle cx="200" cy="164" r="64" fill="${shade}"/><circle cx="200" cy="164" r="52" fill="#1d2125"/>
<circle cx="200" cy="164" r="37" fill="${glass}"/><circle cx="200" cy="164" r="20" fill="#1d2125" opacity="0.75"/>
<circle cx="185" cy="148" r="9" fill="#fff" opacity="0.75"/>
<circle cx="292" cy="106" r="6" fill="${light}"/><rect x="98" y="100" width="32" height="12" rx="4" fill="${light}"/>`
}

function drawKeyboard({ body, shade, light }: Paint, turn: number): Markup {
  const rows = [0, 1, 2, 3].map(row =>
    Array.from({ length: 12 }, (_, column) => {
      const accent = hashOf(turn, row * 12 + column) % 9 === 0
      return markup`<rect x="${66 + column * 22.5}" y="${120 + row * 24}" width="19" height="20" rx="4" fill="${accent ? light : '#f6f5f0'}"/>`
    }),
  )
  return markup`<rect x="50" y="102" width="300" height="140" rx="14" fill="${shade}"/>
<rect x="50" y="102" width="300" height="134" rx="14" fill="${body}"/>${rows}
<rect x="66" y="216" width="42" height="12" rx="4" fill="#f6f5f0"/><rect x="112" y="216" width="176" height="12" rx="4" fill="${light}"/><rect x="292" y="216" width="41" height="12" rx="4" fill="#f6f5f0"/>
<path d="M200 102V84c0-14 18-10 18-24V44" fill="none" stroke="#2b3034" stroke-width="5" stroke-linecap="round"/>`
}

export function pictureRoutes(router: Router): void {
  router.get(
    '/pictures/:id.svg',
    'the picture of a product, drawn as SVG',
    ({ params }) => {
      const product = findProduct(params.id!)
      if (!product) throw new Refusal(404, `there is no picture ${params.id}`)
      return reply('image/svg+xml; charset=utf-8', drawProduct(product), { 'cache-control': 'max-age=3600' })
    },
    '/pictures/7.svg',
  )
}
