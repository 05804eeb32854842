export const serviceNames = [
  'gonogo',
  'sirp',
  'secrets',
  'licorice',
  'workers',
  'jobs',
  'mentos',
  'screenshot',
  'krull',
  'almanac',
] as const
export type ServiceName = (typeof serviceNames)[number]

/** One of the ten parts. The supervisor starts, stops and restarts it; nobody else does. */
export interface Service {
  readonly name: ServiceName
  /** What must run before it can start. */
  readonly needs: readonly ServiceName[]
  /** Rejects with the reason, in words for an administrator, when it cannot start. May be called again after `stop`. */
  start(): Promise<void>
  /** Ends its work. Called also after a `start` that failed, to tidy up what that left. */
  stop(): Promise<void>
  /** What it does at this moment, in one sentence. Asked only while it runs. */
  detail(): string
}
