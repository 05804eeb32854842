import type { CliCommand } from './command.ts'

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'Checks settings, versions, the browser, the data folder and the ports, and says how to mend each',
  description: 'Changes nothing. Exit code 0 when all is well, 1 when something has to be mended.',
  options: [{ name: 'json', meaning: 'as JSON, for programs' }],
  examples: [
    { line: 'forage doctor', meaning: 'every check in a line' },
    { line: 'forage doctor --json', meaning: 'for programs' },
  ],
  async run({ options, env, print }) {
    const { checkAll } = await import('./checks.ts')
    const findings = await checkAll(env)
    const sound = findings.every(finding => finding.ok)
    if (options.json) print(JSON.stringify(findings, undefined, 2))
    else {
      for (const { check, ok, found, remedy } of findings)
        print(
          `${ok ? 'ok  ' : 'BAD '} ${check.padEnd(9)} ${found}${remedy === undefined ? '' : `\n     → ${remedy}`}`,
        )
      print(sound ? 'All is well.' : 'Some things have to be mended.')
    }
    return sound ? 0 : 1
  },
}
