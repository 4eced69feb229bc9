import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '@rookery/tooling/random'
import { whyNoDisk } from './postgres.js'
import { type Dependency, type Member, membersOf, type Stage } from './stage.js'

/** An active fault. */
export interface Trouble {
  /** What the fault hit, if that varies. */
  readonly target?: string
  /** Absent for a fault that is over at once or heals by itself. */
  heal?(): Promise<void>
}

export interface Fault {
  readonly summary: string
  /** The fault takes the database away, so the gap is measured from its return. */
  readonly losesPostgres?: boolean
  begin(stage: Stage, random: Random): Promise<Trouble>
}

const HOUR_MS = 60 * 60_000
const SLOW_MS = 50
const MOST_DOWN_MS = 1_000

const kill = (summary: string, choose: Choose): Fault => ({
  summary,
  async begin(stage, random) {
    const member = choose(stage, random)
    member.kill()
    return { target: member.name }
  },
})

const freeze = (summary: string, choose: Choose): Fault => ({
  summary,
  async begin(stage, random) {
    const member = choose(stage, random)
    member.signal('SIGSTOP')
    return { target: member.name, heal: async () => member.signal('SIGCONT') }
  },
})

type Choose = (stage: Stage, random: Random) => Member
const anyWeb: Choose = ({ webs }, random) => random.pick(webs)
const anyMember: Choose = (stage, random) => random.pick(membersOf(stage))
const theWorker: Choose = ({ worker }) => worker

const linesTo = (stage: Stage, dependency: Dependency) => membersOf(stage).map(({ lines }) => lines[dependency])

const cut = (dependency: Dependency, name: string): Fault => ({
  summary: `breaks every connection to ${name} at once`,
  async begin(stage) {
    for (const line of linesTo(stage, dependency)) line.cut()
    return {}
  },
})

const silence = (dependency: Dependency, name: string): Fault => ({
  summary: `${name} accepts connections and never answers`,
  losesPostgres: dependency === 'postgres',
  async begin(stage) {
    const lines = linesTo(stage, dependency)
    for (const line of lines) line.silence()
    return {
      async heal() {
        for (const line of lines) line.heal()
      },
    }
  },
})

const restartPostgres = (mode: 'fast' | 'immediate', summary: string): Fault => ({
  summary,
  losesPostgres: true,
  async begin({ postgres }, random) {
    await postgres.stop(mode)
    await wait(random.below(MOST_DOWN_MS))
    await postgres.start()
    return {}
  },
})

export const faults: Readonly<Record<string, Fault>> = {
  'kill-web': kill('kills a web process with SIGKILL; it is restarted', anyWeb),
  'kill-worker': kill('kills the worker with SIGKILL; it is restarted', theWorker),
  'kill-chain': {
    summary: 'kills the chain with SIGKILL; it is restarted',
    async begin({ chain }) {
      if (chain.pid) process.kill(chain.pid, 'SIGKILL')
      return {}
    },
  },
  'freeze-web': freeze('stops a web process with SIGSTOP for a while', anyWeb),
  'freeze-worker': freeze('stops the worker with SIGSTOP for a while', theWorker),
  'freeze-postgres': {
    summary: 'stops all processes of PostgreSQL with SIGSTOP for a while',
    losesPostgres: true,
    async begin({ postgres }) {
      await postgres.signal('SIGSTOP')
      return { heal: () => postgres.signal('SIGCONT') }
    },
  },
  'freeze-redis': {
    summary: 'stops Redis with SIGSTOP for a while',
    async begin({ redis }) {
      redis.signal('SIGSTOP')
      return { heal: async () => redis.signal('SIGCONT') }
    },
  },
  'freeze-chain': {
    summary: 'stops the chain with SIGSTOP for a while',
    async begin({ chain }) {
      const { pid } = chain
      if (pid) process.kill(pid, 'SIGSTOP')
      return { heal: async () => void (pid && process.kill(pid, 'SIGCONT')) }
    },
  },
  'restart-postgres': restartPostgres('fast', 'restarts PostgreSQL as pg_ctl restart -m fast does'),
  'crash-postgres': restartPostgres('immediate', 'restarts PostgreSQL as pg_ctl restart -m immediate does'),
  'kill-backend': {
    summary: 'kills a process of PostgreSQL with SIGKILL, after which it recovers by itself',
    losesPostgres: true,
    async begin({ postgres }) {
      const [backend] = await postgres.run<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'rookery%' order by query_start desc limit 1`,
      )
      if (backend) process.kill(backend.pid, 'SIGKILL')
      return {}
    },
  },
  'terminate-backends': {
    summary: 'ends every connection with pg_terminate_backend',
    async begin({ postgres }) {
      await postgres.run(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      return {}
    },
  },
  'restart-redis': {
    summary: 'kills Redis, and starts it again after a while',
    async begin({ redis }) {
      await redis.kill()
      return { heal: () => redis.start() }
    },
  },
  'cut-postgres': cut('postgres', 'PostgreSQL'),
  'cut-redis': cut('redis', 'Redis'),
  'cut-chain': cut('chain', 'the chain'),
  'silence-postgres': silence('postgres', 'PostgreSQL'),
  'silence-redis': silence('redis', 'Redis'),
  'silence-chain': silence('chain', 'the chain'),
  'silence-web': {
    summary: 'PostgreSQL never answers one of the web processes',
    async begin(stage, random) {
      const { name, lines } = anyWeb(stage, random)
      lines.postgres.silence()
      return { target: name, heal: async () => lines.postgres.heal() }
    },
  },
  'slow-postgres': {
    summary: `everything to and from PostgreSQL takes ${SLOW_MS} ms longer`,
    async begin(stage) {
      const lines = linesTo(stage, 'postgres')
      for (const line of lines) line.slowDown(SLOW_MS)
      return {
        async heal() {
          for (const line of lines) line.heal()
        },
      }
    },
  },
  'fill-disk': {
    summary: 'fills the disk of PostgreSQL for a while',
    losesPostgres: true,
    async begin({ postgres }) {
      await postgres.fillDisk()
      return { heal: () => postgres.freeDisk() }
    },
  },
  'jump-clock': {
    summary: 'sets the clock of a program an hour ahead or back for a while',
    async begin(stage, random) {
      const member = anyMember(stage, random)
      const isAhead = random.chance(0.5)
      member.clock.set(isAhead ? HOUR_MS : -HOUR_MS)
      return {
        target: `${member.name}, an hour ${isAhead ? 'ahead' : 'back'}`,
        heal: async () => member.clock.heal(),
      }
    },
  },
}

/** The faults that are impossible on this machine, with the reason. */
export function impossibleFaults(names: readonly string[]): ReadonlyMap<string, string> {
  const whyNot = names.includes('fill-disk') ? whyNoDisk() : undefined
  return new Map(whyNot === undefined ? [] : [['fill-disk', whyNot]])
}
