import { Problem } from '../base/problem.js'
import { answer, type Command, inColumns, withDeps } from './command.js'

export const moderators: Command = {
  name: 'moderators',
  arguments: ['[add|remove]', '[wallet]', '[name]'],
  summary: 'list the wallets that moderate, add one or remove one',
  run: (config, [action = 'list', wallet = '', name = '']) =>
    withDeps(config, async (deps) => {
      const { addModerator, listModerators, removeModerator } = await import('../foundation/callers/moderators.js')
      if (!['list', 'add', 'remove'].includes(action)) throw Problem.at('moderators', 'takes add or remove, or nothing')
      if (action !== 'list' && !/^0x[0-9a-f]{40}$/i.test(wallet))
        throw Problem.at('wallet', 'must be an address: 0x and 40 hex digits')
      const address = wallet.toLowerCase()
      if (action === 'add') {
        await addModerator(deps.db, { wallet, name, now: deps.clock.now() })
        return answer({ wallet: address, name }, `${address} moderates.`)
      }
      if (action === 'remove') {
        if (config.MODERATOR_WALLETS.some((one) => one === address))
          throw Problem.at('wallet', 'is in MODERATOR_WALLETS: remove it there and restart')
        if (!(await removeModerator(deps.db, wallet))) throw Problem.at('wallet', `${address} does not moderate`)
        return answer({ wallet: address }, `${address} does not moderate any more.`)
      }
      const found = await listModerators(deps)
      const rows = found.map((one) => [one.wallet, one.addedAt ?? 'MODERATOR_WALLETS', one.name])
      return answer(found, inColumns(['wallet', 'added', 'name'], rows))
    }),
}
