import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { certificate, key } from '../network/certificate.ts'

/** A database server of Debian's packages, with a data folder of its own, on a free port. */
export interface DatabaseServer {
  readonly port: number
  start(): Promise<void>
  /** As a crash would: nothing is said to anybody. */
  kill(): Promise<void>
  /** The end: its files go too. */
  discard(): Promise<void>
}

export interface DatabaseKind {
  readonly package: string
  readonly user: string
  readonly find: () => string | undefined
  prepare(run: Run, folder: string): void
  command(folder: string, port: number): readonly [string, readonly string[]]
}

type Run = (command: string, args: readonly string[]) => void

const postgresFolder = () => globSync('/usr/lib/postgresql/*/bin').sort().at(-1)

export const postgresKind: DatabaseKind = {
  package: 'postgresql',
  user: 'postgres',
  find: postgresFolder,
  prepare: (run, folder) =>
    run(`${postgresFolder()}/initdb`, [
      ...['-D', folder, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--no-sync'],
    ]),
  command: (folder, port) => [
    `${postgresFolder()}/postgres`,
    [
      ...['-D', folder, '-p', String(port), '-h', '127.0.0.1,127.0.0.2', '-k', folder, '-c', 'fsync=off'],
      // It speaks TLS to those who ask for it.
      ...['-c', 'ssl=on', '-c', `ssl_cert_file=${folder}.crt`, '-c', `ssl_key_file=${folder}.key`],
    ],
  ],
}

export const mariadbKind: DatabaseKind = {
  package: 'mariadb-server',
  user: 'mysql',
  find: () => ['/usr/sbin/mariadbd'].find(existsSync),
  prepare: (run, folder) =>
    run('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${folder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]),
  command: (folder, port) => [
    '/usr/sbin/mariadbd',
    [
      '--no-defaults',
      `--datadir=${folder}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1,127.0.0.2',
      `--socket=${folder}/s`,
      `--pid-file=${folder}/pid`,
      `--ssl-cert=${folder}.crt`,
      `--ssl-key=${folder}.key`,
    ],
  ],
}

export async function startServer(kind: DatabaseKind): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'forage-db-'))
  const owner = ownerOf(kind)
  if (owner) chownSync(folder, owner.uid, owner.gid)
  for (const [ending, content] of Object.entries({ crt: certificate, key })) {
    writeFileSync(`${folder}.${ending}`, content, { mode: 0o600 })
    if (owner) chownSync(`${folder}.${ending}`, owner.uid, owner.gid)
  }
  kind.prepare((command, args) => {
    execFileSync(command, args, { ...owner, cwd: folder, stdio: 'pipe' })
  }, folder)
  const port = await freePort()
  let running: ChildProcess | undefined
  const server: DatabaseServer = {
    port,
    start: async () => {
      const [command, args] = kind.command(folder, port)
      running = spawn(command, args, { ...owner, cwd: folder, stdio: 'ignore' })
      await listening(port, running)
    },
    kill: async () => {
      const ended = running && new Promise(resolve => running!.once('exit', resolve))
      running?.kill('SIGKILL')
      await ended
      running = undefined
    },
    discard: async () => {
      await server.kill()
      // Children of a killed server take a moment to notice.
      await wait(200)
      for (const path of [folder, `${folder}.crt`, `${folder}.key`])
        rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
  await server.start()
  return server
}

/** The servers refuse to run as root: then they run as the user that their package made. */
function ownerOf({ user }: DatabaseKind): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise(resolve => probe.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isUp = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isUp) return
    await wait(50)
  }
  throw new Error(`the server ended with ${child.exitCode}`)
}
