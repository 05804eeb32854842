import { Fault } from '../fault.ts'
import { signLicense } from '../services/licorice/license.ts'
import { type ServiceName, serviceNames } from '../services/service.ts'
import type { CliCommand } from './command.ts'
import { readSigningKey } from './license-key.ts'

export const licenseSign: CliCommand = {
  name: 'license sign',
  summary: 'Makes a license and prints it, for whoever runs the project',
  arguments: [{ name: 'file', meaning: 'the private key, as `forage license key` makes it' }],
  options: [
    { name: 'holder', value: 'name', meaning: 'whom it is for (needed)' },
    { name: 'plan', value: 'name', meaning: 'what was agreed; standard unless given' },
    {
      name: 'services',
      value: 'list',
      meaning: 'the services that it covers, separated by commas; all unless given',
    },
    { name: 'expires', value: 'date', meaning: 'when it ends, such as 2027-12-31; never unless given' },
  ],
  examples: [
    {
      line: 'forage license sign license.pem --holder "Example Ltd" --expires 2027-12-31 > example.license',
      meaning: 'a license for all services',
    },
  ],
  async run({ arguments: { file }, options, print }) {
    const holder = textOf(options.holder)
    if (holder === undefined) throw wrong('--holder is missing', 'Name whom the license is for.')
    const license = {
      plan: textOf(options.plan) ?? 'standard',
      holder,
      services: servicesOf(textOf(options.services)),
      expires: timeOf(textOf(options.expires)),
    }
    print(signLicense(license, readSigningKey(file!)))
    return 0
  },
}

const textOf = (option: string | boolean | undefined): string | undefined =>
  typeof option === 'string' && option !== '' ? option : undefined

function servicesOf(list: string | undefined): readonly ServiceName[] {
  if (list === undefined) return serviceNames
  return list.split(',').map(item => {
    const name = serviceNames.find(service => service === item.trim())
    if (name) return name
    throw wrong(`there is no service "${item.trim()}"`, `There are ${serviceNames.join(', ')}.`)
  })
}

function timeOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw wrong(`"${text}" is not a date`, 'Write it like 2027-12-31.')
}

const wrong = (message: string, remedy: string) => new Fault('usage', message, remedy)
