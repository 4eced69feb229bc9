import type { OpenDeps } from '@rookery/server/service'
import { openService } from '@rookery/server/test/open-service'
import type { Generator } from '../load/start-generator.js'
import { runPgbench } from '../postgres/pgbench.js'
import { cpuSeconds } from '../program/cpu-seconds.js'
import { type BareServer, startBareServer } from './bare.js'
import { scriptOf } from './script.js'
import { catchStatements } from './statements.js'
import type { Target } from './target.js'
import type { Workload } from './workloads.js'

/** The best that the machine can do. */
export interface Best {
  readonly bytes: number
  readonly bare: number
  readonly bareCpu: number
  /** Absent without pgbench, without PostgreSQL, and for workloads that pgbench cannot repeat. */
  readonly pgbench: number | undefined
}

/** Measures a bare HTTP server with answers of the same size, and pgbench with the same statements. */
export class Beside {
  readonly #target: Target
  readonly #generator: Generator
  readonly #bare: BareServer
  readonly #deps: OpenDeps | undefined

  private constructor(target: Target, generator: Generator, bare: BareServer, deps: OpenDeps | undefined) {
    this.#target = target
    this.#generator = generator
    this.#bare = bare
    this.#deps = deps
  }

  static async open(target: Target, generator: Generator): Promise<Beside> {
    const deps = target.database && (await openService(target.database))
    return new Beside(target, generator, await startBareServer(), deps)
  }

  async measure(workload: Workload, connections: number, seconds: number): Promise<Best> {
    const bytes = await this.#answerSize(workload)
    const before = await cpuSeconds([this.#bare.pid])
    const request = { method: 'GET' as const, path: `/${bytes}` }
    const { answered, total, ...run } = await this.#generator.load(this.#bare.url, [request], { connections, seconds })
    const bareCpu = (((await cpuSeconds([this.#bare.pid])) - before) * 1e6) / total
    return {
      bytes,
      bare: answered / run.seconds,
      bareCpu,
      pgbench: await this.#runPgbench(workload, connections, seconds),
    }
  }

  async #runPgbench({ name }: Workload, connections: number, seconds: number): Promise<number | undefined> {
    const { database, data } = this.#target
    if (!this.#deps || !database) return undefined
    const statements = await catchStatements(this.#deps, name, data)
    const { script, variables } = scriptOf(statements, new Set([...data.agentIds, ...data.tweetIds]))
    const scripts = statements.length === 0 ? [] : [script]
    return runPgbench(database.url, scripts, { mode: 'prepared', variables, connections, seconds })
  }

  async #answerSize({ name, isWrite, requests }: Workload): Promise<number> {
    const { url, data, used } = this.#target
    const from = used.get(name) ?? 0
    const [request] = requests(data, from, 1)
    if (isWrite) used.set(name, from + 1)
    const { method = 'GET', path = '/', apiKey, body } = request ?? {}
    const headers = { ...(apiKey && { 'X-API-Key': apiKey }), ...(body && { 'Content-Type': 'application/json' }) }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return (await response.arrayBuffer()).byteLength
  }

  async close(): Promise<void> {
    await this.#bare.stop()
    await this.#deps?.close()
  }
}
