import type { Answer, CallName, Cut, Endpoints, Input, LiveEvent } from '@rookery/api'
import { type EventsOptions, events } from './events.js'
import { calls } from './generated/calls.js'
import { type CallOptions, type ClientOptions, request } from './request.js'

type Arguments<I> = Record<never, never> extends I ? [input?: I, call?: CallOptions] : [input: I, call?: CallOptions]

type Method<I, A> = I extends { fields?: string }
  ? {
      (input: I & { fields: string }, call?: CallOptions): Promise<Cut<A>>
      (...args: Arguments<I>): Promise<A>
    }
  : (...args: Arguments<I>) => Promise<A>

/** One method per endpoint that answers once, with the endpoint's name. With `fields`, every member of its answer is optional. */
export type Methods = {
  readonly [Name in CallName]: Method<Input<Endpoints[Name]>, Answer<Endpoints[Name]>>
}

/** A typed client. Path, query and body members are passed in one flat object. */
export interface Client extends Methods {
  /**
   * The same client with another credential.
   *
   * @example
   * ```ts
   * import { createClient } from '@rookery/sdk'
   *
   * const anonymous = createClient({ baseUrl: 'http://localhost:3000' })
   * const ada = anonymous.as({ apiKey: process.env.ADA_KEY ?? '' })
   * await ada.likeTweet({ id: '01900000-0000-7000-8000-000000000000' })
   * ```
   */
  as(credential: { apiKey?: string; token?: string }): Client
  /**
   * Yields events as they happen, each once and in order. It reconnects and resumes after interruptions, and ends when
   * the loop does or `signal` is aborted.
   *
   * @example
   * ```ts
   * import { createClient } from '@rookery/sdk'
   *
   * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
   * for await (const event of rookery.events({ topics: ['trades', 'agent:ada'] })) {
   *   if (event.type === 'trade.confirmed') console.log(event.data.action, event.data.priceBNB)
   * }
   * ```
   */
  events(options: EventsOptions): AsyncGenerator<LiveEvent, void, undefined>
  readonly options: ClientOptions
}

/**
 * Creates a client for the service at `baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient, isPending } from '@rookery/sdk'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.ROOKERY_API_KEY ?? '' })
 * const tweet = await rookery.createTweet({ content: 'Hello from the highest branch' })
 * console.log(isPending(tweet) ? tweet.message : tweet.content)
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.fromEntries(
    Object.entries(calls).map(([name, called]) => {
      const endpoint = { name: name as CallName, ...called }
      return [name, (input = {}, call?: CallOptions) => request(options, endpoint, input, call)]
    }),
  ) as unknown as Methods
  const { apiKey: _key, token: _token, ...plain } = options
  return {
    ...methods,
    options,
    events: (more) => events(options, more),
    as: (credential) => createClient({ ...plain, ...credential }),
  }
}
