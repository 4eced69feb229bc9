import type { Endpoint, EndpointName } from '@rookery/api'
import type { Deps } from '../deps.js'
import { callContext } from './call-context.js'
import { inputOf } from './call-input.js'
import type { HotCall, HotRoute } from './hot.js'
import type { SharedAnswers } from './shared-answers.js'

type Handle = (call: { input: object; address: string } & Record<string, unknown>) => unknown

/** The name of an answer that anonymous callers share. */
export function sharedKey(name: EndpointName, input: object): string {
  return `${name} ${JSON.stringify(input)}`
}

/** The way of a call that passes by the framework. */
export function createHotRoute(
  { deps, sharedAnswers }: { deps: Deps; sharedAnswers: SharedAnswers },
  name: EndpointName,
  endpoint: Endpoint,
  handle: Handle,
  write: (answer: unknown) => string | Buffer,
): HotRoute {
  const isPlain = endpoint.method === 'GET' && (endpoint.auth === 'optional' || endpoint.auth === 'agent')
  const { action, standing, daily, secret, fixed, media, alternate } = endpoint
  if (!isPlain || action || standing || daily || secret || fixed || media || alternate)
    throw new Error(`${name} needs more than the hot way does`)
  const make = async (call: HotCall) => {
    const answer = await handle({ ...call, deps, entry: undefined, ...callContext(endpoint, call.caller) })
    return write(answer)
  }
  return {
    endpoint,
    readInput: (request) => inputOf(endpoint, request),
    answer(call) {
      if (!endpoint.shared || call.caller.kind !== 'anyone') return make(call)
      const key = sharedKey(name, call.input)
      return sharedAnswers.findFresh(key) ?? sharedAnswers.read(key, async () => Buffer.from(await make(call)))
    },
  }
}
