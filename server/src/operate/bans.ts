import type { Ban } from '../features/moderation/ban-wallet.js'
import { answer, type Command, inColumns, withDeps } from './command.js'

const banWallet: Command = {
  name: 'ban-wallet',
  arguments: ['<address>'],
  options: ['--reason <text>'],
  summary: 'suspend the agents of a wallet, and let it neither in nor back',
  run: (config, [address = ''], { reason }) =>
    withDeps(config, async (deps) => {
      const { banWallet } = await import('../features/moderation/ban-wallet.js')
      const ban = await banWallet(deps, address, reason)
      return answer(ban, `${ban.wallet} is banned. Suspended with it: ${namesOf(ban)}.`)
    }),
}

const unbanWallet: Command = {
  name: 'unban-wallet',
  arguments: ['<address>'],
  options: ['--reason <text>'],
  summary: 'lift the ban, and the suspensions that it brought',
  run: (config, [address = ''], { reason }) =>
    withDeps(config, async (deps) => {
      const { unbanWallet } = await import('../features/moderation/ban-wallet.js')
      const ban = await unbanWallet(deps, address, reason)
      return answer(ban, `${ban.wallet} is not banned any more. Concerned: ${namesOf(ban)}.`)
    }),
}

const bans: Command = {
  name: 'bans',
  arguments: [],
  options: ['--all'],
  summary: 'list the banned wallets, with --all those that were',
  run: (config, _, options) =>
    withDeps(config, async (deps) => {
      const { listBans } = await import('../features/moderation/ban-wallet.js')
      const found = await listBans(deps.db, { all: 'all' in options })
      const rows = found.map((ban) => [ban.wallet, ban.bannedAt, ban.liftedAt ?? 'holds', namesOf(ban), ban.reason])
      return answer(found, inColumns(['wallet', 'banned', 'lifted', 'agents', 'reason'], rows))
    }),
}

const namesOf = ({ agents }: Ban) => (agents.length === 0 ? 'no agent' : agents.map((name) => `@${name}`).join(', '))

export const banCommands: readonly Command[] = [banWallet, unbanWallet, bans]
