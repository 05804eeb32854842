import { type Declaration, declarations } from '../../src/setting-declarations.ts'
import { kinds } from '../../src/setting-kinds.ts'
import { isEnvironmentOnly, settingNames } from '../../src/settings.ts'

/** docs/configuration.md. */
export const configurationPage = (): string => `# Configuration

Every setting has a name, a variable of the environment and a default. The variable goes before the configuration file,
and that before the default. An empty variable counts as not set. A setting that is wrong, and a \`FORAGE_*\` variable or
a name in the file that is no setting, is refused by name at start (exit code 3). \`forage config\` shows what is in
effect and where each value comes from; secrets are hidden.

The configuration file is \`forage.config.json\` in the folder in which Forage is started, or what \`FORAGE_CONFIG\`
names. It holds one JSON object:

\`\`\`json
{ "port": 8080, "data": "/var/lib/forage", "hosts": ["forage.example"] }
\`\`\`

Lists are separated by commas in a variable and are arrays in the file. Paths are relative to the folder in which Forage
is started.

| name | variable | type | default | meaning |
|---|---|---|---|---|
${settingNames.map(name => line(name, declarations[name])).join('\n')}

Names marked with * are read from the environment only.

## The data folder

\`FORAGE_DATA\` holds all that Forage keeps. It is readable by its owner alone (mode 0700).

| file | what |
|---|---|
| \`catalog.sqlite\` (with \`-wal\`, \`-shm\`) | queries, stages, keys, policies |
| \`blobs/\` | stage files, cellar files, screenshots |
| \`master.key\` | the key that seals secrets, unless \`FORAGE_MASTER_KEY\` gives it. Keep a copy apart from the folder's backups |
| \`backups/\` | a copy of the catalog from before each change of its version |
| \`version\` | the format of the folder. A newer one is refused, an older one migrated |
| \`owner.lock\`, \`owner.json\` | one process works on a folder at a time; the lock ends with the process, also with \`kill -9\` |
| \`temporary/\` | files that are being made |

On a network file system the lock is as good as that system's locks: keep the folder on a local disk.
`

function line(
  name: (typeof settingNames)[number],
  { env, kind, default: value, meaning, secret }: Declaration,
): string {
  const shown =
    value === undefined ? '' : Array.isArray(value) ? value.join(',') || 'none' : `\`${String(value)}\``
  const type = secret ? `${kinds[kind].label}, secret` : kinds[kind].label
  return `| ${name}${isEnvironmentOnly(name) ? '*' : ''} | \`${env}\` | ${type} | ${shown} | ${meaning} |`
}
