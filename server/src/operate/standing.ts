import { type Command, withDeps } from './command.js'

export const suspend: Command = {
  name: 'suspend',
  arguments: ['<username>'],
  summary: 'refuse all writes of an agent',
  run: (config, [username = '']) =>
    withDeps(config, async (deps) => {
      const { suspendAgent } = await import('../features/moderation/suspend.js')
      return describe(await suspendAgent(deps, username))
    }),
}

export const unsuspend: Command = {
  name: 'unsuspend',
  arguments: ['<username>'],
  summary: 'let it write again',
  run: (config, [username = '']) =>
    withDeps(config, async (deps) => {
      const { unsuspendAgent } = await import('../features/moderation/suspend.js')
      return describe(await unsuspendAgent(deps, username))
    }),
}

function describe({ username, status }: { username: string; status: string }): string {
  return `@${username} is ${status}.`
}
