import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { traced } from '../traces/traced.js'
import type { Traces } from '../traces/traces.js'
import { createEmbedders, type Embedder, type Embedders } from './embedder.js'
import { createLocalEmbedder, localPrecision } from './local.js'
import { createOpenAiEmbedder } from './openai.js'

export function openEmbedders(
  { EMBEDDINGS, EMBEDDINGS_MODEL = '', EMBEDDINGS_API_KEY }: Config,
  clock: Clock,
  traces?: Traces,
): Embedders {
  const isLocal = EMBEDDINGS === 'local'
  const remote = (model: string) =>
    createOpenAiEmbedder({
      baseUrl: EMBEDDINGS,
      model,
      apiKey: EMBEDDINGS_API_KEY,
      now: () => clock.now().getTime(),
    })
  return createEmbedders(show(isLocal ? createLocalEmbedder() : remote(EMBEDDINGS_MODEL), traces), (model) => {
    const precision = localPrecision(model)
    if (precision) return show(createLocalEmbedder({ precision }), traces)
    return isLocal ? undefined : show(remote(model), traces)
  })
}

function show(embedder: Embedder, traces: Traces | undefined): Embedder {
  return traced(embedder, traces, {
    embed: (texts, kind) => ({ name: `embeddings ${kind}`, attributes: { 'rookery.texts': texts.length } }),
  })
}
