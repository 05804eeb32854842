/** Domain policies (api.md, gonogo). */
import Type from 'typebox'
import { Count, fields, listOf, nullable, record, Time, Uuid } from '../fields.ts'

const Limit = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Dispatches; absent is no limit, 0 is never' }),
)
const GivenLimit = Type.Optional(
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,15}$' })], {
    description: 'Dispatches, as a whole number or the same in text; absent is no limit, 0 is never',
  }),
)

export const PolicyLimits = record('PolicyLimits', {
  perSecond: Limit,
  perTenSeconds: Limit,
  perMinute: Limit,
})

export const DomainPolicy = record('DomainPolicy', {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  domain: Type.String({ minLength: 1, maxLength: 1000 }),
  policy: PolicyLimits,
  createdAt: Time,
  updatedAt: Time,
})
/** A policy as a client writes it. */
export const GivenDomainPolicy = fields({
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  domain: Type.String({ minLength: 1, maxLength: 1000, description: 'a.b.com, *.b.com or *' }),
  policy: fields({ perSecond: GivenLimit, perTenSeconds: GivenLimit, perMinute: GivenLimit }),
})
export const DomainPolicyList = listOf('DomainPolicyList', DomainPolicy)

/** The policy that holds for a domain; the built-in one has neither id nor name, and null is no limit. */
const AppliedPolicy = nullable(
  fields({
    id: nullable(Uuid),
    name: nullable(Type.String()),
    domain: Type.String(),
    policy: PolicyLimits,
  }),
)

/** How much of its limits a domain uses at this moment. */
export const DomainUse = record('DomainUse', {
  domain: Type.String(),
  policy: AppliedPolicy,
  windows: Type.Array(
    fields({
      seconds: Count,
      used: Type.Integer({ minimum: 0, description: 'Dispatches within the last `seconds`' }),
      limit: nullable(Count),
    }),
  ),
  heldUntil: nullable(
    Type.String({ format: 'date-time', description: 'Until when the domain asked to be left alone' }),
  ),
  waiting: Type.Integer({ minimum: 0, description: 'How many wait for their turn' }),
  nextAt: nullable(
    Type.String({ format: 'date-time', description: 'When the next of those that wait has its turn' }),
  ),
})
export const DomainUseList = listOf('DomainUseList', DomainUse)

/** Whether a dispatch may happen now, by which limits, and when to ask again. */
export const PolicyVerdict = record('PolicyVerdict', {
  go: Type.Boolean(),
  retryAfterMs: nullable(
    Type.Integer({ minimum: 0, description: '0 with `go`; null when a limit is 0, so never' }),
  ),
  policy: AppliedPolicy,
})

const Moment = Type.Number({ minimum: 0, description: 'Epoch milliseconds' })
/** `[[epochMs], [epochMs, count], …]` */
export const GivenDispatches = Type.Array(
  Type.Union([Type.Tuple([Moment]), Type.Tuple([Moment, Type.Integer({ minimum: 0 })])]),
  {
    default: [],
    description: 'When the domain was asked, and how many times at that moment (1 if not said)',
  },
)

export const PolicyEnvironment = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'PolicyEnvironment',
  description: 'The settings of gonogo, by name; never secrets',
})
