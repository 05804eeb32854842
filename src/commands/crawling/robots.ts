import { normalEscapes } from './address.ts'
import { fitsWildcard } from './wildcard.ts'

/** What a site asks of one crawler (RFC 9309). */
export interface RobotsRules {
  allows(url: URL): boolean
  /** Seconds that it wants between two requests: no part of the standard, but often written. */
  readonly crawlDelay: number | undefined
}

interface Rule {
  readonly allow: boolean
  readonly pattern: string
  /** Ended by `$`: it must fit to the end. */
  readonly whole: boolean
}

interface Group {
  readonly agents: readonly string[]
  readonly rules: Rule[]
  crawlDelay: number | undefined
}

export const allowAll: RobotsRules = { allows: () => true, crawlDelay: undefined }
export const forbidAll: RobotsRules = { allows: isRobotsFile, crawlDelay: undefined }

/** The rules of a robots.txt for a crawler: those of the groups that name it, otherwise those for all. */
export function parseRobots(text: string, agent: string): RobotsRules {
  const groups = groupsOf(text)
  const named = groups.filter(group => group.agents.includes(agent.toLowerCase()))
  const chosen = named.length > 0 ? named : groups.filter(group => group.agents.includes('*'))
  const rules = chosen.flatMap(group => group.rules)
  return {
    allows: url => isRobotsFile(url) || isAllowed(rules, normalEscapes(url.pathname + url.search)),
    crawlDelay: chosen.find(group => group.crawlDelay !== undefined)?.crawlDelay,
  }
}

function isRobotsFile(url: URL): boolean {
  return url.pathname === '/robots.txt'
}

/** The longest pattern that fits decides; of two as long, the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let [longest, allowed] = [-1, true]
  for (const { pattern, allow, whole } of rules) {
    const length = pattern.length + (whole ? 1 : 0)
    if (length < longest || (length === longest && !allow)) continue
    if (fitsWildcard(pattern, path, whole)) [longest, allowed] = [length, allow]
  }
  return allowed
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  let agents: string[] = []
  let group: Group | undefined
  for (const line of text.split(/\r\n?|\n/)) {
    const [, key, value] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line.replace(/^\ufeff/, '')) ?? []
    if (key === undefined) continue
    const name = key.toLowerCase()
    if (name === 'user-agent') {
      // Agents one after the other share what follows; behind rules they begin another group.
      if (group?.rules.length !== 0) {
        agents = []
        group = { agents, rules: [], crawlDelay: undefined }
        groups.push(group)
      }
      agents.push(agentToken(value!.trim()))
    } else if (group) addTo(group, name, value!.trim())
  }
  return groups
}

/** `Forage/1.0` names Forage. */
const agentToken = (value: string): string =>
  value === '*' ? '*' : (/^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? '')

function addTo(group: Group, name: string, value: string): void {
  if (name === 'crawl-delay') {
    const seconds = Number(value)
    if (value !== '' && seconds > 0) group.crawlDelay ??= seconds
  }
  if (name !== 'allow' && name !== 'disallow') return
  // An empty path forbids nothing, but it ends the list of agents, as `Disallow:` alone does in many files.
  const whole = value.endsWith('$')
  const pattern = normalEscapes(whole ? value.slice(0, -1) : value)
  if (value === '') group.rules.push({ allow: true, pattern: '', whole: false })
  else if (/^[/*]/.test(value)) group.rules.push({ allow: name === 'allow', pattern, whole })
}
