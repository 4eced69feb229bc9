/** What follows a chain. */
export { createIds, systemClock } from '../src/base/clock.js'
export { createProgressBar } from '../src/foundation/chain/progress.js'
export { createHttpRpc } from '../src/foundation/chain/rpc.js'
export { createEventLog } from '../src/foundation/events/log.js'
export { createLonePeers } from '../src/foundation/peers/peers.js'
export { createShareFollower } from '../src/start/share-follower.js'
