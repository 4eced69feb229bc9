import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { createEmbedders, type Embedders } from './embedder.js'
import { createLocalEmbedder, localPrecision } from './local.js'
import { createOpenAiEmbedder } from './openai.js'

export function openEmbedders(
  { EMBEDDINGS, EMBEDDINGS_MODEL = '', EMBEDDINGS_API_KEY }: Config,
  clock: Clock,
): Embedders {
  const isLocal = EMBEDDINGS === 'local'
  const remote = (model: string) =>
    createOpenAiEmbedder({
      baseUrl: EMBEDDINGS,
      model,
      apiKey: EMBEDDINGS_API_KEY,
      now: () => clock.now().getTime(),
    })
  return createEmbedders(isLocal ? createLocalEmbedder() : remote(EMBEDDINGS_MODEL), (model) => {
    const precision = localPrecision(model)
    if (precision) return createLocalEmbedder({ precision })
    return isLocal ? undefined : remote(model)
  })
}
