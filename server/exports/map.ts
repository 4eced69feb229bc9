/** How the map of the network is made. */
export { type MappedAgent, makeMap, type Network } from '../src/features/map/make-map.js'
export { createRandom } from '../src/features/map/random.js'
