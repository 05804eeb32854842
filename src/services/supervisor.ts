import { Fault } from '../fault.ts'
import { type Service, type ServiceName, serviceNames } from './service.ts'

export interface ServiceStatus {
  readonly service: ServiceName
  readonly status: 'running' | 'starting' | 'stopped' | 'failed'
  /** When it came into this status. */
  readonly since: string
  readonly restarts: number
  readonly detail: string
}

interface Slot {
  readonly service: Service
  status: ServiceStatus['status']
  since: Date
  restarts: number
  reason: string
  /** It failed only because something that it needs did not run. */
  blocked: boolean
  /** What happens to it at this moment; whoever wants something else waits. */
  busy: Promise<void>
}

/** Starts the services in order of need, and each of them again on its own. */
export class Supervisor {
  readonly #slots: ReadonlyMap<ServiceName, Slot>
  readonly #order: readonly Slot[]
  readonly #stopLimitMs: number
  #stopped = false

  constructor(services: readonly Service[], { stopLimitMs = 10_000 } = {}) {
    this.#stopLimitMs = stopLimitMs
    this.#slots = new Map(services.map(service => [service.name, newSlot(service)]))
    this.#order = inOrderOfNeed(this.#slots, [...this.#slots.keys()])
  }

  /**
   * Resolves when every service, or every one of those named and what they need, has started or failed. One that fails
   * keeps only those from starting that need it.
   */
  async start(names: readonly ServiceName[] = [...this.#slots.keys()]): Promise<void> {
    const wanted = new Set(inOrderOfNeed(this.#slots, names))
    for (const slot of this.#order) if (wanted.has(slot)) await this.#queue(slot, () => this.#start(slot))
  }

  /** In reverse order, each given the time that is left. Afterwards nothing starts again. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    const deadline = Date.now() + graceMs
    for (const slot of this.#order.toReversed()) {
      const left = Math.max(0, deadline - Date.now())
      await within(
        left,
        this.#queue(slot, async () => {
          await this.#stop(slot, 'Forage is stopping')
        }),
      )
    }
  }

  /** Stops and starts one service; the others stay as they are. Resolves when it runs again or has failed. */
  async restart(name: ServiceName): Promise<ServiceStatus> {
    const slot = this.#slot(name)
    slot.restarts++
    enter(slot, 'starting', 'restarting')
    await this.#queue(slot, async () => {
      if (await this.#stop(slot, 'restarting')) await this.#start(slot)
    })
    // Those that only waited for it can start now.
    for (const other of this.#order) {
      if (other.blocked && other !== slot) await this.#queue(other, () => this.#start(other))
    }
    return this.status(name)
  }

  isRunning(name: ServiceName): boolean {
    return this.#slot(name).status === 'running'
  }

  status(name: ServiceName): ServiceStatus {
    const { service, status, since, restarts, reason } = this.#slot(name)
    const detail = status === 'running' ? service.detail() : reason
    return { service: service.name, status, since: since.toISOString(), restarts, detail }
  }

  /** In the order of the interface. */
  statuses(): ServiceStatus[] {
    return serviceNames.filter(name => this.#slots.has(name)).map(name => this.status(name))
  }

  #slot(name: ServiceName): Slot {
    const slot = this.#slots.get(name)
    if (slot === undefined) throw new Error(`the service ${name} was not given to the supervisor`)
    return slot
  }

  #queue(slot: Slot, work: () => Promise<void>): Promise<void> {
    slot.busy = slot.busy.then(work)
    return slot.busy
  }

  async #start(slot: Slot): Promise<void> {
    if (this.#stopped) return
    const missing = slot.service.needs.filter(name => !this.isRunning(name))
    slot.blocked = missing.length > 0
    if (slot.blocked) return enter(slot, 'failed', `needs ${missing.join(', ')}, which does not run`)
    enter(slot, 'starting', 'starting')
    try {
      await slot.service.start()
      enter(slot, 'running', '')
    } catch (error) {
      await slot.service.stop().catch(() => {})
      enter(slot, 'failed', explain(error))
    }
  }

  /** Whether it stopped: one that hangs is not started a second time beside itself. */
  async #stop(slot: Slot, reason: string): Promise<boolean> {
    try {
      const stopped = await within(
        this.#stopLimitMs,
        slot.service.stop().then(() => true),
      )
      if (stopped === undefined) throw new Error(`still not done after ${this.#stopLimitMs / 1000} s`)
      enter(slot, 'stopped', reason)
      return true
    } catch (error) {
      enter(slot, 'failed', `it did not stop: ${explain(error)}`)
      return false
    }
  }
}

const newSlot = (service: Service): Slot => ({
  service,
  status: 'stopped',
  since: new Date(),
  restarts: 0,
  reason: 'not started yet',
  blocked: false,
  busy: Promise.resolve(),
})

function enter(slot: Slot, status: ServiceStatus['status'], reason: string): void {
  slot.status = status
  slot.reason = reason
  slot.since = new Date()
}

const explain = (error: unknown): string =>
  error instanceof Fault
    ? `${error.message}. ${error.remedy}`
    : error instanceof Error
      ? error.message
      : String(error)

function inOrderOfNeed(slots: ReadonlyMap<ServiceName, Slot>, names: readonly ServiceName[]): Slot[] {
  const order = new Set<Slot>()
  const visit = (name: ServiceName, path: readonly ServiceName[]): void => {
    const slot = slots.get(name)
    if (slot === undefined) throw new Error(`${path.at(-1)} needs the service ${name}, which was not given`)
    if (path.includes(name))
      throw new Error(`services need each other in a circle: ${[...path, name].join(', ')}`)
    for (const need of slot.service.needs) visit(need, [...path, name])
    order.add(slot)
  }
  for (const name of names) visit(name, [])
  return [...order]
}

/** What the work gives, or undefined when the time is over first. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = Promise.withResolvers<undefined>()
  const handle = setTimeout(() => timer.resolve(undefined), ms)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(handle)
  }
}
