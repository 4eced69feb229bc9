import { createServer, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ConfigError } from '../base/config-error.js'
import { atPort, type Config } from '../config/config.js'
import { hasEmbeddedChain } from '../foundation/folder/folder.js'

const CHAIN_HOST = '127.0.0.1'
// The chain process of a service that was just killed may live a moment longer.
const CHAIN_FREE_WITHIN_MS = 2_000
const AGAIN_AFTER_MS = 50

/**
 * Checks that the ports are free before anything else happens. Returns the configuration with the actual port where any
 * would do, since the public address contains it.
 */
export async function checkPorts(config: Config): Promise<Config> {
  const { PORT, HOST, CHAIN_PORT, ROLE } = config
  if (ROLE === 'worker') return config
  const hasChain = hasEmbeddedChain(config)
  if (hasChain && PORT === CHAIN_PORT && PORT !== 0)
    throw new ConfigError(`CHAIN_PORT must be another port than PORT (${PORT}). 0 takes any free one.`)
  const found = await tryPort(PORT, HOST).catch((error) => {
    throw listenError(error, config)
  })
  if (hasChain && CHAIN_PORT !== 0) await tryChainPort(CHAIN_PORT)
  return PORT === 0 ? atPort(config, found) : config
}

/** Explains a failed attempt to listen; returns any other error unchanged. */
export function listenError(
  error: unknown,
  { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>,
  prefix: '' | 'METRICS_' = '',
): Error {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall === 'getaddrinfo')
    return new ConfigError(`${prefix}HOST ${HOST} is not known as a host (${code}). ${choose(prefix)}`)
  if (syscall !== 'listen') return error as Error
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL')
    return new ConfigError(`${prefix}HOST ${HOST} is not an address of this machine. ${choose(prefix)}`)
  if (code === 'EADDRINUSE')
    return new ConfigError(
      `${prefix}PORT ${PORT} is in use on ${HOST}. Stop the program that uses it, or set ${prefix}PORT to another; 0 takes any free one.`,
    )
  if (code === 'EACCES')
    return new ConfigError(`${prefix}PORT ${PORT} is not allowed to this account. Set ${prefix}PORT to one above 1023.`)
  return new ConfigError(
    `${prefix}PORT ${PORT} cannot be used on ${HOST}: ${message}. Choose another ${prefix}PORT or ${prefix}HOST.`,
  )
}

const choose = (prefix: string) =>
  `Set ${prefix}HOST to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all its addresses.`

async function tryChainPort(port: number): Promise<void> {
  for (let waited = 0; ; waited += AGAIN_AFTER_MS) {
    const error = await tryPort(port, CHAIN_HOST).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    )
    if (!error) return
    if (error.code === 'EADDRINUSE' && waited < CHAIN_FREE_WITHIN_MS) await wait(AGAIN_AFTER_MS)
    else
      throw new ConfigError(
        error.code === 'EADDRINUSE'
          ? `CHAIN_PORT ${port} is in use. Stop the program that uses it, or set CHAIN_PORT to another; 0 takes any free one.`
          : `CHAIN_PORT ${port} cannot be used (${error.code}). Set CHAIN_PORT to another; 0 takes any free one.`,
      )
  }
}

/** Listens for a moment and returns the port. */
function tryPort(port: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    const probe: Server = createServer((socket) => socket.destroy()).once('error', fail)
    probe.listen(port, host, () => {
      const found = (probe.address() as { port: number }).port
      probe.close(() => done(found))
    })
  })
}
