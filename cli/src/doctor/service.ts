import type { Client, Health, PlatformConfig } from '@rookery/sdk'
import { exitCodes } from '../exit-codes.js'
import { type Check, failed, failedBy, ok, warning } from './check.js'

/** What the headers of an answer say besides the answer. */
export interface Answered {
  readonly headers: Headers
  /** Local time in the middle of the call. */
  readonly atMs: number
}

const CLOCK_WARNING_SECONDS = 10
// A challenge is valid for ten minutes and a webhook's signature for five: with more skew than this they start to fail.
const CLOCK_FAILURE_SECONDS = 120

export async function checkAddress(
  client: Client,
  url: string,
): Promise<{ check: Check; config: PlatformConfig | undefined }> {
  try {
    const config = await client.getConfig()
    if (typeof config.platformName !== 'string' || typeof config.version !== 'string')
      return {
        check: failed('address', `What answers at ${url} is not Rookery.`, 'Check the URL.', exitCodes.network),
        config: undefined,
      }
    return { check: ok('address', `${url} is ${config.platformName} ${config.version}`), config }
  } catch (error) {
    const todo = 'Set ROOKERY_URL or run "rookery login --url <address>"; at home start the service with "npm start".'
    return { check: failedBy('address', error, todo), config: undefined }
  }
}

export function checkVersion(own: string, service: string): Check {
  const line = `CLI ${own}, service ${service}`
  const compatible = (version: string) =>
    version
      .split('.')
      .slice(0, version.startsWith('0.') ? 2 : 1)
      .join('.')
  return compatible(own) === compatible(service)
    ? ok('version', line)
    : warning('version', line, 'Use the CLI of the service’s version: commands and options may differ.')
}

export function checkClock({ headers, atMs }: Answered): Check {
  const serverMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(serverMs))
    return warning('clock', 'The server does not say its time.', 'Compare the clocks yourself.')
  // The header has whole seconds, cut off: on average the server was half a second further.
  const skew = Math.round((atMs - serverMs - 500) / 1000)
  const line =
    skew === 0 ? 'in step with the server' : `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the server`
  const todo =
    'Set the clock of this machine, for example with NTP: signatures and challenges are only valid for minutes.'
  if (Math.abs(skew) > CLOCK_FAILURE_SECONDS) return failed('clock', line, todo)
  return Math.abs(skew) > CLOCK_WARNING_SECONDS ? warning('clock', line, todo) : ok('clock', line)
}

export function checkHealth({ status, reasons }: Health): Check {
  if (status === 'starting')
    return warning('health', `the service has just started: ${reasons.join(' ')}`, 'Try again in a minute.')
  return status === 'ok'
    ? ok('health', 'the service is well')
    : warning('health', reasons.join(' ') || 'the service is degraded', 'Nothing to do here: its operator is told.')
}

/** Takes the newest answer that counted against a limit. */
export function checkLimits(answered: Answered | undefined): Check {
  const left = answered?.headers.get('x-ratelimit-remaining')
  const most = answered?.headers.get('x-ratelimit-limit')
  if (!left || !most) return ok('limits', 'reads are not limited')
  const line = `${left} of ${most} reads left in this minute`
  return Number(left) > 0 ? ok('limits', line) : warning('limits', line, 'Wait a minute.')
}
