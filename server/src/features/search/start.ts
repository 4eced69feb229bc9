import type { Deps } from '../../deps.js'
import type { Models } from './models.js'

/** Loads the model in the background, and notices when it is another one than before. */
export function startSearch(
  { config, embedders, log }: Pick<Deps, 'config' | 'embedders' | 'log'>,
  models: Models,
): { stop(): void } {
  let isStopping = false
  // Which model answers is for those to decide who can embed everything anew.
  const loading = config.ROLE === 'web' ? embedders.configured.ready : models.adopt()
  loading.then(
    () => log.info({ model: embedders.configured.model }, 'search is ready'),
    (error: Error) => {
      if (!isStopping) log.error({ message: error.message }, 'search has no model')
    },
  )
  return {
    stop() {
      isStopping = true
    },
  }
}
