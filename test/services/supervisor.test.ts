import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Fault } from '../../src/fault.ts'
import type { Service, ServiceName } from '../../src/services/service.ts'
import { Supervisor } from '../../src/services/supervisor.ts'

/** A small real service that writes down what happens to it. */
class Recorded implements Service {
  readonly name: ServiceName
  readonly needs: readonly ServiceName[]
  readonly #events: string[]
  starting: () => Promise<void> = async () => {}
  stopping: () => Promise<void> = async () => {}

  constructor(name: ServiceName, needs: readonly ServiceName[], events: string[]) {
    this.name = name
    this.needs = needs
    this.#events = events
  }

  async start() {
    this.#events.push(`start ${this.name}`)
    await this.starting()
  }

  async stop() {
    this.#events.push(`stop ${this.name}`)
    await this.stopping()
  }

  detail() {
    return `${this.name} works`
  }
}

function three() {
  const events: string[] = []
  const almanac = new Recorded('almanac', ['sirp'], events)
  const sirp = new Recorded('sirp', ['secrets'], events)
  const secrets = new Recorded('secrets', [], events)
  return {
    events,
    almanac,
    sirp,
    secrets,
    supervisor: new Supervisor([almanac, sirp, secrets], { stopLimitMs: 50 }),
  }
}

describe('the supervisor', () => {
  it('starts in order of need and stops in reverse', async () => {
    const { events, supervisor } = three()
    assert.equal(supervisor.status('sirp').status, 'stopped')
    await supervisor.start()
    assert.deepEqual(
      supervisor
        .statuses()
        .map(({ service, status, detail, restarts }) => [service, status, detail, restarts]),
      [
        ['sirp', 'running', 'sirp works', 0],
        ['secrets', 'running', 'secrets works', 0],
        ['almanac', 'running', 'almanac works', 0],
      ],
    )
    await supervisor.stop(1000)
    assert.deepEqual(events, [
      'start secrets',
      'start sirp',
      'start almanac',
      'stop almanac',
      'stop sirp',
      'stop secrets',
    ])
    assert.equal(supervisor.status('sirp').status, 'stopped')
  })

  it('restarts one and leaves the others alone', async () => {
    const { events, sirp, supervisor } = three()
    await supervisor.start()
    events.length = 0
    const gate = Promise.withResolvers<void>()
    sirp.starting = () => gate.promise
    const restarting = supervisor.restart('sirp')
    assert.equal(supervisor.status('sirp').status, 'starting', 'from the first moment on')
    assert.equal(supervisor.isRunning('almanac'), true)
    gate.resolve()
    assert.equal((await restarting).status, 'running')
    assert.equal((await restarting).restarts, 1)
    assert.deepEqual(events, ['stop sirp', 'start sirp'])
    assert.equal(supervisor.status('secrets').restarts, 0)
  })

  it('does restarts that come at once one after the other', async () => {
    const { events, supervisor } = three()
    await supervisor.start()
    events.length = 0
    await Promise.all([supervisor.restart('sirp'), supervisor.restart('sirp')])
    assert.deepEqual(events, ['stop sirp', 'start sirp', 'stop sirp', 'start sirp'])
    assert.equal(supervisor.status('sirp').restarts, 2)
  })

  it('survives a service that does not start, and mends it by a restart', async () => {
    const { sirp, supervisor } = three()
    sirp.starting = async () => {
      throw new Fault('failure', 'the cable is out', 'Put it in.')
    }
    await supervisor.start()
    assert.equal(supervisor.status('secrets').status, 'running')
    assert.equal(supervisor.status('sirp').status, 'failed')
    assert.equal(supervisor.status('sirp').detail, 'the cable is out. Put it in.')
    assert.equal(supervisor.status('almanac').status, 'failed')
    assert.equal(supervisor.status('almanac').detail, 'needs sirp, which does not run')
    sirp.starting = async () => {}
    assert.equal((await supervisor.restart('sirp')).status, 'running')
    assert.equal(supervisor.status('almanac').status, 'running', 'it only waited for sirp')
  })

  it('does not start a service beside one that hangs', async () => {
    const { events, sirp, supervisor } = three()
    await supervisor.start()
    events.length = 0
    sirp.stopping = () => new Promise(() => {})
    const { status, detail } = await supervisor.restart('sirp')
    assert.equal(status, 'failed')
    assert.match(detail, /did not stop/)
    assert.deepEqual(events, ['stop sirp'])
  })

  it('ends within the grace time although a service hangs, and starts nothing afterwards', async () => {
    const { events, almanac, supervisor } = three()
    await supervisor.start()
    events.length = 0
    almanac.stopping = () => new Promise(() => {})
    await supervisor.stop(20)
    assert.deepEqual(events, ['stop almanac', 'stop sirp', 'stop secrets'])
    await supervisor.restart('secrets')
    assert.ok(!events.includes('start secrets'))
  })

  it('refuses services that need each other, or one that is not there', () => {
    const circle = [new Recorded('sirp', ['jobs'], []), new Recorded('jobs', ['sirp'], [])]
    assert.throws(() => new Supervisor(circle), /in a circle: sirp, jobs, sirp/)
    assert.throws(() => new Supervisor([new Recorded('sirp', ['jobs'], [])]), /needs the service jobs/)
  })
})
