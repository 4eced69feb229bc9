/** Vectors and the search over them. */
export { createEmbedders, type Embedder, normalise } from '../src/adapters/embeddings/embedder.js'
export { createLocalEmbedder } from '../src/adapters/embeddings/local.js'
export { createModels, type Models } from '../src/features/search/models.js'
export { measureFloor } from '../src/features/search/nonsense.js'
export { createTweetSearch } from '../src/features/search/tweets.js'
export {
  buildNearestQuery,
  type Model,
  prepareSearch,
  vectorLiteral,
  vectorType,
} from '../src/features/search/vectors.js'
