import { Counter, Gauge, type Registry } from 'prom-client'
import type { KrullService } from './service.ts'

/** The figures of the browser for Prometheus, read when they are asked for. */
export function registerBrowserMetrics(registry: Registry, krull: Pick<KrullService, 'system'>): void {
  const registers = [registry]
  new Gauge({
    name: 'forage_browser_jobs',
    help: 'Page jobs that run or wait.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { workers } = krull.system(null)
      this.set({ state: 'running' }, workers.active)
      this.set({ state: 'queued' }, workers.queued)
    },
  })
  new Gauge({
    name: 'forage_browser_contexts',
    help: 'Browser contexts that are ready or in use.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { contexts } = krull.system(null)
      this.set({ state: 'ready' }, contexts.ready)
      this.set({ state: 'busy' }, contexts.busy)
    },
  })
  new Gauge({
    name: 'forage_browser_memory_bytes',
    help: 'Memory of all browser processes.',
    registers,
    collect() {
      const { browsers } = krull.system(null)
      this.set(browsers.reduce((sum, { memoryMb }) => sum + (memoryMb ?? 0), 0) * 1024 * 1024)
    },
  })
  new Gauge({
    name: 'forage_browsers',
    help: 'Browsers that run.',
    registers,
    collect() {
      this.set(krull.system(null).browsers.length)
    },
  })
  new Counter({
    name: 'forage_browser_jobs_total',
    help: 'Page jobs that are over, by how they ended, and further tries.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      const { jobs } = krull.system(null)
      this.reset()
      this.inc({ outcome: 'done' }, jobs.done)
      this.inc({ outcome: 'failed' }, jobs.failed)
      this.inc({ outcome: 'retried' }, jobs.retried)
    },
  })
  new Counter({
    name: 'forage_browser_restarts_total',
    help: 'Browsers launched after the first.',
    registers,
    collect() {
      this.reset()
      this.inc(krull.system(null).restarts)
    },
  })
}
