import { readdirSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/**
 * The memory of all processes of a group, in bytes: what each has for itself, and what they share counted once. Undefined
 * where the system does not tell (it is read from /proc).
 */
export function groupMemory(group: number): number | undefined {
  let own = 0
  let shared = 0
  let found = false
  for (const name of processes()) {
    const stat = read(`/proc/${name}/stat`)
    // Behind the name, which may hold anything: state, parent, group.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[2]) !== group) continue
    const [, resident = 0, common = 0] = read(`/proc/${name}/statm`).split(' ').map(Number)
    found = true
    own += resident - common
    shared = Math.max(shared, common)
  }
  return found ? (own + shared) * PAGE_BYTES : undefined
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // It ended meanwhile.
    return ''
  }
}
