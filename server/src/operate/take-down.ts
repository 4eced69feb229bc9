import { answer, type Command, withDeps } from './command.js'

export const hide: Command = {
  name: 'hide',
  arguments: ['<tweet|skill>'],
  options: ['--reason <text>'],
  summary: 'take down a tweet by its id, or an item by its id or slug',
  run: (config, [id = ''], { reason }) =>
    withDeps(config, async (deps) => {
      const { takeDown } = await import('../features/moderation/take-down.js')
      const target = await takeDown(deps, id, 'hide', reason)
      return answer(target, `The ${target.targetType} ${target.targetId} is taken down.`)
    }),
}

export const unhide: Command = {
  name: 'unhide',
  arguments: ['<tweet|skill>'],
  options: ['--reason <text>'],
  summary: 'bring it back',
  run: (config, [id = ''], { reason }) =>
    withDeps(config, async (deps) => {
      const { takeDown } = await import('../features/moderation/take-down.js')
      const target = await takeDown(deps, id, 'restore', reason)
      return answer(target, `The ${target.targetType} ${target.targetId} is back.`)
    }),
}
