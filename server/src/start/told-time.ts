import { ConfigError } from '../base/config-error.js'
import type { LateClock } from '../base/late-clock.js'
import type { Deps } from '../deps.js'

/** How the process that started the service reaches it. */
export type Channel = Pick<NodeJS.Process, 'send' | 'on' | 'once' | 'off' | 'connected' | 'disconnect'>

interface ToldTimeOptions {
  /** Called once, when the clock is right. */
  onReal(): Promise<void>
  /** Called when nobody is there any more to tell the time. */
  onLost(): void
}

const REAL = 'real'

/** Refuses a clock that nobody could move. */
export function requireTeller({ send }: Pick<Channel, 'send'>): void {
  if (send) return
  throw new ConfigError(
    'CLOCK must be system unless the process that starts the service moves the clock on, as the demo does. Remove CLOCK.',
  )
}

/**
 * Lets the process that started the service tell the time to it and to its chain: `{ clock: <time> }` moves the clock
 * forward, `{ clock: 'real' }` ends this for good. Each is answered with the same message when it is carried out.
 */
export function followToldTime(
  { lateClock, embeddedChain }: Pick<Deps, 'embeddedChain'> & { readonly lateClock: LateClock },
  channel: Channel,
  { onReal, onLost }: ToldTimeOptions,
): void {
  let last: Promise<void> = Promise.resolve()

  async function move(clock: string): Promise<void> {
    if (clock === REAL) lateClock.catchUp()
    else lateClock.moveTo(new Date(clock))
    await embeddedChain?.setLate(lateClock.lateMs)
    if (clock === REAL) await onReal()
    await new Promise<void>((done) => channel.send?.({ clock }, () => done()))
    if (clock === REAL) stopListening()
  }

  function listen(message: unknown): void {
    const { clock } = message as { readonly clock?: unknown }
    if (typeof clock !== 'string' || (clock !== REAL && Number.isNaN(Date.parse(clock)))) return
    last = last.then(() => move(clock)).catch(onLost)
  }

  function stopListening(): void {
    channel.off('message', listen)
    channel.off('disconnect', onLost)
    if (channel.connected) channel.disconnect()
  }

  channel.on('message', listen)
  channel.once('disconnect', onLost)
}
