import type { OpenChannel } from './hub.js'

/** How this page listens to events. Without a channel, lists are read again from time to time. */
export const openChannel: OpenChannel | undefined = undefined
