import { execFileSync } from 'node:child_process'
import { after } from 'node:test'
import {
  type DatabaseKind,
  type DatabaseServer,
  mariadbKind,
  postgresKind,
  startServer,
} from './database-server.ts'

export const postgres = (): Promise<DatabaseServer> => started(postgresKind)
export const mariadb = (): Promise<DatabaseServer> => started(mariadbKind)

/** Gone when the tests of the file have run. */
async function started(kind: DatabaseKind): Promise<DatabaseServer> {
  install(kind)
  const server = await startServer(kind)
  after(() => server.discard())
  return server
}

function install(kind: DatabaseKind): void {
  if (kind.find()) return
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', kind.package], {
    stdio: 'pipe',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
