import { type Command, withDeps } from './command.js'

export const backfills: Command = {
  name: 'backfills',
  arguments: [],
  summary: 'show how far the work of an upgrade on the rows of earlier versions is',
  run: (config) =>
    withDeps(config, async ({ db }) => {
      const { listBackfills } = await import('../foundation/jobs/backfill.js')
      const lines = (await listBackfills(db)).map(({ name, done, total, passes, finished_at: finishedAt }) => {
        if (finishedAt) return `${name}: done at ${finishedAt.toISOString()}`
        const rows = `${done} of ${total}`
        return passes === 0 ? `${name}: ${rows}` : `${name}: all done, and looking for new ones again (${rows})`
      })
      return lines.length === 0 ? 'There are none.' : lines.join('\n')
    }),
}
