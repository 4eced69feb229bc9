import { answer, type Command, type Outcome, withDeps } from './command.js'

export const suspend: Command = {
  name: 'suspend',
  arguments: ['<username>'],
  options: ['--with-wallet', '--reason <text>'],
  summary: 'refuse all writes of an agent, and ban its wallet',
  run: (config, [username = ''], options) =>
    withDeps(config, async (deps) => {
      const { suspendAgent } = await import('../features/moderation/suspend.js')
      const agent = await suspendAgent(deps, username, options.reason)
      if (!('with-wallet' in options)) return describe(agent)
      const { banWallet } = await import('../features/moderation/ban-wallet.js')
      const ban = await banWallet(deps, agent.wallet_address, options.reason, agent.id)
      return answer(
        { ...standingOf(agent), ban },
        `@${agent.username} is ${agent.status}, its wallet ${ban.wallet} banned.`,
      )
    }),
}

export const unsuspend: Command = {
  name: 'unsuspend',
  arguments: ['<username>'],
  options: ['--reason <text>'],
  summary: 'let it write again',
  run: (config, [username = ''], { reason }) =>
    withDeps(config, async (deps) => {
      const { unsuspendAgent } = await import('../features/moderation/suspend.js')
      return describe(await unsuspendAgent(deps, username, reason))
    }),
}

interface Standing {
  readonly id: string
  readonly username: string
  readonly status: string
}

const standingOf = ({ id, username, status }: Standing) => ({ id, username, status })

function describe(agent: Standing): Outcome {
  return answer(standingOf(agent), `@${agent.username} is ${agent.status}.`)
}
