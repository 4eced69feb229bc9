import type { Call } from '@rookery/sdk'
import { NetworkError } from './failures.js'

/** Creates a fetch whose errors name the server that cannot be reached. */
export function createFetch(): typeof fetch {
  return reach
}

/** Rejects an answer that cannot come from Rookery, such as the home page of another site. */
export function refuseForeignAnswer({ method, path, media = 'application/json' }: Call, answer: unknown): void {
  if (media === 'application/json' && (typeof answer !== 'object' || answer === null))
    throw new NetworkError(`What answers ${method} ${path} is not Rookery. Check the URL.`)
}

async function reach(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (error) {
    if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) throw error
    throw new NetworkError(`${originOf(input)} cannot be reached (${reasonOf(error)}). Check the URL and the network.`)
  }
}

function originOf(input: Parameters<typeof fetch>[0]): string {
  return new URL(input instanceof Request ? input.url : input).origin
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return String(error)
  return 'code' in cause ? String(cause.code) : cause.message
}
