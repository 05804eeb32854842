import type { Operation } from './operations/declare.ts'
import { deliveryAdditions, licorice, mentos } from './operations/delivery.ts'
import { gonogo, gonogoAdditions } from './operations/gonogo.ts'
import { browser, krull, screenshot, screenshotAdditions } from './operations/krull.ts'
import { secrets, secretsAdditions } from './operations/secrets.ts'
import { cellar, scheduled, sirp, sirpAdditions, templates } from './operations/sirp.ts'

export type { Operation } from './operations/declare.ts'

/**
 * Every operation of the interface and every one that we add, built or not, under its operationId. Method and path are
 * said here and nowhere else: a route is registered by its id (`route.ts`).
 */
const operations = {
  ...sirp,
  ...cellar,
  ...scheduled,
  ...templates,
  ...krull,
  ...browser,
  ...screenshot,
  ...gonogo,
  ...secrets,
  ...licorice,
  ...mentos,
  ...sirpAdditions,
  ...screenshotAdditions,
  ...gonogoAdditions,
  ...secretsAdditions,
  ...deliveryAdditions,
}

export type OperationId = keyof typeof operations

export const operationIds = Object.keys(operations) as OperationId[]

export const operationOf = (id: OperationId): Operation => operations[id]
