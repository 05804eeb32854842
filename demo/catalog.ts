/** The words that products are made of. Some are Greek, Japanese or Norwegian on purpose: names are not ASCII. */
export interface CategoryWords {
  slug: string
  title: string
  blurb: string
  brands: readonly string[]
  lines: readonly string[]
  /** Whole dollars, cheapest and dearest. */
  prices: readonly [number, number]
  grams: readonly [number, number]
  /** Millimetres: width, height, depth. */
  size: readonly [number, number, number]
  pitch: readonly string[]
  /** The first one goes by the line: an Air 13 has a display of 13 inches. */
  specs: Readonly<Record<string, readonly string[]>>
}

export const CATEGORIES: readonly CategoryWords[] = [
  {
    slug: 'laptops',
    title: 'Laptops',
    blurb: 'Light enough to carry, quick enough to stay.',
    brands: ['Fernwood', 'Nørby', 'Ōmiya', 'Calder', 'Müller', 'Quill', 'Αίολος', 'Tamarind'],
    lines: ['Air 13', 'Field 14', 'Studio 15'],
    prices: [649, 2499],
    grams: [980, 2100],
    size: [310, 16, 220],
    pitch: [
      'wakes before the lid is open',
      'runs a whole working day on one charge',
      'stays cool on the knees',
    ],
    specs: {
      Display: ['13.3" 1920×1200', '14" 2560×1600', '15.6" 2880×1800'],
      Memory: ['8 GB', '16 GB', '32 GB'],
      Storage: ['256 GB SSD', '512 GB SSD', '1 TB SSD'],
      Battery: ['52 Wh', '64 Wh', '80 Wh'],
    },
  },
  {
    slug: 'phones',
    title: 'Phones',
    blurb: 'Small computers with good cameras and long days.',
    brands: ['Pebble', 'Kestrel', '東雲', 'Ålund', 'Vireo', 'Sable', 'Łódka', 'Marlow'],
    lines: ['Mini', 'One', 'Max'],
    prices: [199, 1299],
    grams: [142, 238],
    size: [72, 148, 8],
    pitch: ['fits a small pocket', 'takes good pictures after sunset', 'is mended with one screwdriver'],
    specs: {
      Display: ['5.4" OLED', '6.1" OLED', '6.7" OLED'],
      Storage: ['64 GB', '128 GB', '256 GB'],
      Camera: ['12 MP', '48 MP', '50 MP + 12 MP'],
      Battery: ['3,100 mAh', '4,200 mAh', '5,000 mAh'],
    },
  },
  {
    slug: 'headphones',
    title: 'Headphones',
    blurb: 'For the train, the desk and the long evening.',
    brands: ['Lark', 'Sólveig', 'Hush', 'Bramble', '和音', 'Tønder', 'Echo & Reed', 'Corvus'],
    lines: ['Open', 'Closed', 'Travel'],
    prices: [39, 449],
    grams: [160, 340],
    size: [170, 190, 80],
    pitch: ['keeps the train outside', 'sits so lightly that it is forgotten', 'folds flat into its case'],
    specs: {
      Driver: ['32 mm', '40 mm', '50 mm'],
      Connection: ['3.5 mm cable', 'Bluetooth 5.3', 'USB-C and Bluetooth 5.3'],
      Impedance: ['16 Ω', '32 Ω', '80 Ω'],
      Cable: ['1.2 m', '1.8 m', '3 m'],
    },
  },
  {
    slug: 'cameras',
    title: 'Cameras',
    blurb: 'Bodies that ask to be taken outside.',
    brands: ['Halden', 'Iris', 'Žitná', 'Lumen', '青木', 'Prism', 'Fjell', 'Obscura'],
    lines: ['Compact', 'Street', 'Pro'],
    prices: [249, 2899],
    grams: [290, 890],
    size: [128, 84, 62],
    pitch: ['focuses where you look', 'survives rain and sand', 'has a dial for everything that matters'],
    specs: {
      Sensor: ['1"', 'APS-C', 'full frame'],
      Resolution: ['16 MP', '24 MP', '45 MP'],
      Mount: ['fixed lens', 'M-mount', 'L-mount'],
      Video: ['1080p', '4K 30 fps', '4K 60 fps'],
    },
  },
  {
    slug: 'keyboards',
    title: 'Keyboards',
    blurb: 'Keys with a sound of their own.',
    brands: ['Tack', 'Clover', 'Ærø', 'Typo', '文月', 'Granite', 'Señor Clack', 'Lintel'],
    lines: ['60', '75', 'Full'],
    prices: [49, 329],
    grams: [480, 1350],
    size: [320, 38, 125],
    pitch: [
      'types without waking anybody',
      'takes any switch that you like',
      'weighs enough to stay where it is put',
    ],
    specs: {
      Layout: ['60 %', '75 %', 'full size'],
      Switches: ['linear', 'tactile', 'clicky'],
      Keycaps: ['ABS', 'PBT', 'ceramic'],
      Connection: ['USB-C', 'USB-C and Bluetooth'],
    },
  },
]

export const COLORS = ['graphite', 'silver', 'moss', 'sand', 'midnight', 'rust'] as const

export const TAGS = ['new', 'repairable', 'recycled', 'bestseller', 'quiet', 'light', 'warranty-5y'] as const

export const REVIEWERS = [
  'Ada',
  'Björn',
  'Chloé',
  'Dagný',
  'Εlena',
  'Farid',
  'Grace',
  'Hiroshi',
  'İpek',
  'José',
  'Kwame',
  'Łucja',
  'Mei',
  'Nils',
  'Оля',
  'Priya',
] as const

/** What is written under five, four, three stars and below. */
export const OPINIONS: Readonly<Record<number, readonly string[]>> = {
  5: [
    'Exactly what I hoped for.',
    'Bought a second one for the office.',
    'A year on and still like new.',
    'Worth every cent — and I am not easy to please.',
  ],
  4: [
    'Very good, though the manual is thin.',
    'Does its job well; the box was dented.',
    'Nearly perfect, a little heavy.',
  ],
  3: [
    'Fine for the price.',
    'Good, but not as "premium" as the pictures promise.',
    'It works, no more and no less.',
  ],
  2: ['Expected more.', 'Arrived late, and one corner was scratched.'],
  1: ['Stopped working after a week; the shop took it back without a word.'],
}
