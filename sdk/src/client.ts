import { type CallName, calledEndpoints, type Endpoints, type Input, type LiveEvent, type Output } from '@rookery/api'
import { type EventsOptions, events } from './events.js'
import { type CallOptions, type ClientOptions, request } from './request.js'

type Arguments<I> = Record<never, never> extends I ? [input?: I, call?: CallOptions] : [input: I, call?: CallOptions]

/** A method for every endpoint that answers once, named as the endpoint is. */
export type Methods = {
  readonly [Name in CallName]: (...args: Arguments<Input<Endpoints[Name]>>) => Promise<Output<Endpoints[Name]>>
}

/** A typed client. Path, query and body members go into one flat object. */
export interface Client extends Methods {
  /** The same client with another credential. */
  as(credential: { apiKey?: string; token?: string }): Client
  /**
   * Events as they happen: each once and in order, also over interruptions, until the loop or `signal` ends it.
   *
   * ```ts
   * for await (const event of rookery.events({ topics: ['trades', 'agent:ada'] })) …
   * ```
   */
  events(options: EventsOptions): AsyncGenerator<LiveEvent, void, undefined>
  readonly options: ClientOptions
}

/** Makes a client for the service at `baseUrl`. */
export function createClient(options: ClientOptions): Client {
  const methods = Object.fromEntries(
    calledEndpoints.map(({ name, endpoint }) => [
      name,
      (input: Record<string, unknown> = {}, call?: CallOptions) => request(options, endpoint, input, call),
    ]),
  ) as unknown as Methods
  const { apiKey: _key, token: _token, ...plain } = options
  return {
    ...methods,
    options,
    events: (more) => events(options, more),
    as: (credential) => createClient({ ...plain, ...credential }),
  }
}
