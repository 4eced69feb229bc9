import { currentReader } from '../api/reader.js'
import type { OpenChannel } from './hub.js'

/** Listens as whoever reads the page. The SDK comes back by itself after an interruption and goes on where it was. */
export const openChannel: OpenChannel = (topics, { resume, signal, opened, lost }) =>
  currentReader().client.events({
    topics,
    signal,
    retryRefusals: true,
    ...(resume !== undefined && { resume }),
    onState: (state) => (state === 'open' ? opened() : lost()),
  })
