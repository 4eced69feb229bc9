import { answer, type Command, inColumns, withDeps } from './command.js'

const MOST_JOBS = 100

const jobs: Command = {
  name: 'jobs',
  arguments: ['[kind]'],
  options: ['--failed', '--waiting', '--running'],
  summary: 'count jobs by kind, or list those of a kind or state',
  run: (config, [kind], options) =>
    withDeps(config, async (deps) => {
      const { countKinds, jobStates, listJobs } = await import('../foundation/jobs/inspect.js')
      const state = jobStates.find((name) => name in options)
      if (kind === undefined && state === undefined) {
        const kinds = await countKinds(deps)
        const rows = kinds.map((row) => [row.kind, row.waiting, row.running, row.failed])
        return answer(kinds, inColumns(['kind', 'waiting', 'running', 'failed'], rows))
      }
      const found = await listJobs(deps, { kind, state, most: MOST_JOBS })
      const rows = found.map((job) => [job.id, job.kind, job.state, job.attempts, job.runAt, job.lastError ?? ''])
      const text = inColumns(['id', 'kind', 'state', 'attempts', 'next run', 'last error'], rows)
      return answer(found, found.length < MOST_JOBS ? text : `${text}\nThe first ${MOST_JOBS}; there may be more.`)
    }),
}

const job: Command = {
  name: 'job',
  arguments: ['<id>'],
  summary: 'show a job: payload, attempts, last error, next run',
  run: (config, [id = '']) =>
    withDeps(config, async (deps) => {
      const { getJob } = await import('../foundation/jobs/inspect.js')
      const found = await getJob(deps, id)
      const rows = Object.entries(found).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ])
      return answer(found, inColumns(['', ''], rows).trim())
    }),
}

const retryJobs: Command = {
  name: 'retry-jobs',
  arguments: ['[kind|id]'],
  summary: 'put jobs that gave up back into the queue',
  run: (config, [which]) =>
    withDeps(config, async (deps) => {
      const { retryFailedJobs } = await import('../foundation/jobs/retry-failed.js')
      const isId = which !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(which)
      const due = await retryFailedJobs(deps, isId ? { id: which } : { kind: which })
      return answer({ due }, `${due} jobs are due again.`)
    }),
}

const cancelJob: Command = {
  name: 'cancel-job',
  arguments: ['<id>'],
  summary: 'remove a job that waits or gave up; its work is not done',
  run: (config, [id = '']) =>
    withDeps(config, async (deps) => {
      const { cancelJob } = await import('../foundation/jobs/inspect.js')
      const cancelled = await cancelJob(deps, id)
      return answer(cancelled, `The job ${cancelled.id} (${cancelled.kind}) is cancelled.`)
    }),
}

export const jobCommands: readonly Command[] = [jobs, job, retryJobs, cancelJob]
