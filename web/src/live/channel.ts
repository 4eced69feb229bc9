import { reading } from '../api/reader.js'
import type { OpenChannel } from './hub.js'

/** Listens as the current reader. The SDK reconnects after an interruption and resumes where it was. */
export const openChannel: OpenChannel = (topics, { resume, signal, opened, reached, lost, restarted }) =>
  reading.events({
    topics,
    signal,
    retryRefusals: true,
    ...(resume !== undefined && { resume }),
    onState: (state) => (state === 'open' ? opened() : lost()),
    onPosition: reached,
    onRestart: restarted,
  })
