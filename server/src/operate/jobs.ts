import { type Command, withDeps } from './command.js'

export const retryJobs: Command = {
  name: 'retry-jobs',
  arguments: [],
  summary: 'put jobs that gave up back into the queue',
  run: (config) =>
    withDeps(config, async (deps) => {
      const { retryFailedJobs } = await import('../foundation/jobs/retry-failed.js')
      return `${await retryFailedJobs(deps)} jobs are due again.`
    }),
}
