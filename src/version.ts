import packageJson from '../package.json' with { type: 'json' }

/** The version of Forage. */
export const version: string = packageJson.version
