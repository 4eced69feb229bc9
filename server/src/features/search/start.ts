import type { Deps } from '../../deps.js'
import type { Models } from './models.js'

/** Loads the model in the background, and adopts it if the configuration has changed. */
export function startSearch(
  { config, embedders, log }: Pick<Deps, 'config' | 'embedders' | 'log'>,
  models: Models,
): { stop(): void } {
  let isStopping = false
  // Only a process with a worker can re-embed all texts, so only such a process adopts a model.
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
