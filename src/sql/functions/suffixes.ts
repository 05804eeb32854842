/**
 * Endings of two parts under which names are registered, by country. The whole public list is 15,000 lines and changes
 * weekly; these are the ones that people meet. Everything else is taken to end in one part.
 */
const BY_COUNTRY: Readonly<Record<string, string>> = {
  ae: 'ac co gov net org',
  ar: 'com edu gob net org',
  at: 'ac co gv or',
  au: 'asn com edu gov id net org',
  bd: 'com edu gov net org',
  br: 'com edu gov net org',
  cn: 'ac com edu gov net org',
  co: 'com edu gov net org',
  cy: 'ac com gov net org',
  ec: 'com edu gob net org',
  eg: 'com edu gov net org',
  es: 'com edu gob nom org',
  gr: 'com edu gov net org',
  gt: 'com edu gob net org',
  hk: 'com edu gov idv net org',
  hu: 'co gov org',
  id: 'ac co go or sch web',
  il: 'ac co gov muni net org',
  in: 'ac co edu firm gen gov ind net nic org res',
  jp: 'ac ad co ed go gr lg ne or',
  ke: 'ac co go ne or sc',
  kr: 'ac co go ne or pe re',
  lk: 'com edu gov net org',
  ma: 'ac co gov net org',
  mx: 'com edu gob net org',
  my: 'com edu gov name net org',
  ng: 'com edu gov net org',
  nz: 'ac co cri geek gen govt iwi kiwi maori mil net org school',
  pe: 'com edu gob net nom org',
  ph: 'com edu gov net org',
  pk: 'com edu gov net org',
  pl: 'com edu gov info net org',
  pt: 'com edu gov org',
  py: 'com edu gov net org',
  ro: 'com info org',
  rs: 'ac co edu gov org',
  ru: 'com msk net org spb',
  sa: 'com edu gov net org',
  sg: 'com edu gov net org per',
  th: 'ac co go in mi net or',
  tr: 'av bel biz com edu gen gov info k12 name net org pol tel tv web',
  tw: 'club com ebiz edu game gov idv net org',
  ua: 'com edu gov in kiev kyiv lviv net odessa org',
  uk: 'ac co gov ltd me net nhs org plc police sch',
  uy: 'com edu gub net org',
  ve: 'co com edu gob net org web',
  vn: 'ac com edu gov info net org',
  za: 'ac co edu gov law net nom org school web',
}

/** As a piece of a regular expression: `(?:ac|co|gov)\.ae|…`. */
export const TWO_PART_SUFFIXES: string = Object.entries(BY_COUNTRY)
  .map(([country, seconds]) => `(?:${seconds.replaceAll(' ', '|')})\\.${country}`)
  .join('|')
