import { readFile } from 'node:fs/promises'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import type { Deps } from '../deps.js'
import type { ErasureView } from '../features/erasure/erasures.js'
import type { Sought } from '../features/erasure/sought.js'
import { answer, type Command, inColumns, type Options, type Outcome, withDeps } from './command.js'

const load = () =>
  Promise.all([
    import('../features/erasure/erase.js'),
    import('../features/erasure/erasures.js'),
    import('../features/erasure/find.js'),
  ]).then(([erase, erasures, find]) => ({ ...erase, ...erasures, ...find }))

const eraseAgent: Command = {
  name: 'erase-agent',
  arguments: ['<username|id>'],
  options: ['--yes'],
  summary: 'list what goes with an agent; with --yes, erase it for ever',
  run: (config, [name = ''], options) =>
    withErasing(config, options, async (deps, { findAgentToErase }) => [await findAgentToErase(deps, name)]),
}

const eraseOwner: Command = {
  name: 'erase-owner',
  arguments: ['<handle|id>'],
  options: ['--with-agents', '--yes'],
  summary: 'the same for an owner; the agents stay, without one, or go too',
  run: (config, [name = ''], options) =>
    withErasing(config, options, async (deps, { findOwnerToErase, findAgentToErase, listAgentsOfOwner }) => {
      const owner = await findOwnerToErase(deps, name)
      if (!('with-agents' in options)) return [owner]
      const gone = await listAgentsOfOwner(deps, owner)
      const agents = await Promise.all(gone.map((id) => findAgentToErase(deps, id)))
      return [...agents, { ...owner, agentIds: owner.agentIds.filter((id) => !gone.includes(id)) }]
    }),
}

const eraseWallet: Command = {
  name: 'erase-wallet',
  arguments: ['<address>'],
  options: ['--with-agents', '--yes'],
  summary: 'the same for a wallet that has no agents, or goes with them',
  run: (config, [address = ''], options) =>
    withErasing(config, options, async (deps, { walletToErase, listAgentsOfWallet, findAgentToErase }) => {
      const wallet = walletToErase(address)
      const agents = await listAgentsOfWallet(deps, wallet.wallet)
      if (agents.length > 0 && !('with-agents' in options)) {
        const names = agents.map(({ username }) => `@${username}`).join(', ')
        throw Problem.at('wallet', `has agents, which know its address: ${names}. Erase them too with --with-agents`)
      }
      return [...(await Promise.all(agents.map(({ id }) => findAgentToErase(deps, id)))), wallet]
    }),
}

const erasures: Command = {
  name: 'erasures',
  arguments: [],
  options: ['--since <time>'],
  summary: 'show how far erasures are; keep the list of --json with backups',
  run: (config, _, { since }) =>
    withDeps(config, async (deps) => {
      const { listErasures } = await load()
      const from = new Date(since ?? 0)
      if (Number.isNaN(from.getTime())) throw Problem.at('since', 'must be an ISO 8601 time')
      const found = await listErasures(deps.db, from)
      const rows = found.map((one) => [one.id, one.kind, one.startedAt, progressOf(one), rowsOf(one)])
      return answer(found, inColumns(['id', 'of', 'began', 'state', 'rows'], rows))
    }),
}

const eraseAgain: Command = {
  name: 'erase-again',
  arguments: ['<file>'],
  summary: 'after a restore: erase whom `erasures --json` lists in a file',
  run: (config, [file = '']) =>
    withDeps(config, async (deps) => {
      const { erase, findErased, requireSameVersion } = await load()
      await requireSameVersion(deps)
      const erased: string[] = []
      for (const one of await readList(file)) {
        const sought = await findErased(deps, one)
        if (sought) erased.push(await erase(deps, sought))
      }
      return answer({ erasures: erased }, `${erased.length} are erased again; the jobs do the rest.`)
    }),
}

export const erasureCommands: readonly Command[] = [eraseAgent, eraseOwner, eraseWallet, erasures, eraseAgain]

type Loaded = Awaited<ReturnType<typeof load>>

/** Plans erasures, or carries them out with `--yes`. */
function withErasing(
  config: Config,
  options: Options,
  find: (deps: Deps, loaded: Loaded) => Promise<Sought[]>,
): Promise<Outcome> {
  return withDeps(config, async (deps) => {
    const loaded = await load()
    const all = await find(deps, loaded)
    const obstacles = (await Promise.all(all.map((sought) => loaded.findObstacles(deps, sought)))).flat()
    if (!('yes' in options)) return plan(deps, loaded, all, obstacles)
    if (obstacles.length > 0) return { text: obstacles.join('\n'), data: { obstacles }, exitCode: 1 }
    const ids: string[] = []
    for (const sought of all) ids.push(await loaded.erase(deps, sought))
    const text = `Gone from everywhere. The rest goes in the background, within minutes: see \`erasures\`.`
    return answer({ erasures: ids }, `${text}\n${ids.join('\n')}`)
  })
}

async function plan(
  deps: Deps,
  { planErasure }: Loaded,
  all: readonly Sought[],
  obstacles: readonly string[],
): Promise<Outcome> {
  const parts = []
  for (const sought of all) parts.push({ kind: sought.kind, rows: await planErasure(deps.db, sought) })
  const rows = parts.flatMap(({ kind, rows }) => rows.map(({ table, fate, rows }) => [kind, table, fate, rows]))
  const table = inColumns(['of', 'table', 'what', 'rows'], rows)
  const text = [table, ...obstacles, 'Nothing has been erased. It cannot be undone: repeat it with --yes.'].join('\n')
  return { text, data: { planned: parts, obstacles }, exitCode: obstacles.length > 0 ? 1 : 0 }
}

const progressOf = ({ finishedAt, pass, step, steps }: ErasureView) =>
  finishedAt === null ? `step ${step} of ${steps}, pass ${pass + 1} of 2` : `done at ${finishedAt}`

const rowsOf = ({ done }: ErasureView) => Object.values(done).reduce((sum, rows) => sum + rows, 0)

async function readList(file: string): Promise<ErasureView[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw Problem.at('file', `cannot be read: ${error.message}`)
  })
  try {
    const list = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {}
  throw Problem.at('file', 'must be what `erasures --json` printed')
}
