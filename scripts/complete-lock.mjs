// Completes package-lock.json after a dependency was added. npm leaves out of it the packages for other platforms that the
// registry at hand does not hold, and `npm ci` then refuses the whole file. Their versions are in the packages that ask for
// them; which system they are for is in their names. They get no integrity hash, which only that registry could tell.
import { readFileSync, writeFileSync } from 'node:fs'
import { missingFromLock } from './setup/lock-file.mjs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = missingFromLock(lock)

for (const { name, version, dev } of missing)
  lock.packages[`node_modules/${name}`] = entry(name, version, dev)
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`)
process.stdout.write(`${missing.length} packages added to package-lock.json\n`)

function entry(name, version, dev) {
  const words = name.split('/').at(-1).split('-')
  const os = words.find(word =>
    [
      'aix',
      'android',
      'darwin',
      'freebsd',
      'linux',
      'netbsd',
      'openbsd',
      'openharmony',
      'sunos',
      'win32',
    ].includes(word),
  )
  const cpu = words.find(word =>
    ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'].includes(
      word,
    ),
  )
  if (cpu === undefined) throw new Error(`cannot tell what system ${name} is for: write its entry by hand`)
  const musl = words.some(word => word.startsWith('musl'))
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(os === 'linux' && { libc: [musl ? 'musl' : 'glibc'] }),
    optional: true,
    ...(os && { os: [os] }),
  }
}
