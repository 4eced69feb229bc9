import { answer, type Command, inColumns, withDeps } from './command.js'

const instances: Command = {
  name: 'instances',
  arguments: [],
  summary: 'list the processes that serve this database',
  run: (config) =>
    withDeps(config, async (deps) => {
      const { listInstances } = await import('../foundation/peers/instances.js')
      const found = await listInstances(deps)
      const rows = found.map((one) => [
        one.id,
        one.role ?? '',
        one.version ?? '',
        `${one.host ?? ''} ${one.pid ?? ''}`,
        one.startedAt ?? '',
        one.seenAt,
        one.isAlive ? (one.drainingSince ? 'draining' : 'serves') : 'gone',
      ])
      return answer(found, inColumns(['id', 'role', 'version', 'host, process', 'since', 'last seen', 'state'], rows))
    }),
}

const drain = drainCommand('drain', true, 'let an instance take no new callers: its readiness fails')
const undrain = drainCommand('undrain', false, 'let it take callers again')

function drainCommand(name: string, isDraining: boolean, summary: string): Command {
  return {
    name,
    arguments: ['<instance>'],
    summary,
    run: (config, [instance = '']) =>
      withDeps(config, async (deps) => {
        const { setDraining } = await import('../foundation/peers/instances.js')
        const told = await setDraining(deps, instance, isDraining)
        return answer(told, `${told.id} ${isDraining ? 'drains' : 'takes callers again'} within about a second.`)
      }),
  }
}

export const instanceCommands: readonly Command[] = [instances, drain, undrain]
