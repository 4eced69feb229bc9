import { type BuiltName, builtEndpoints, type Endpoints, type Input, type Output } from '@rookery/api'
import { type CallOptions, type ClientOptions, request } from './request.js'

type Arguments<I> = Record<never, never> extends I ? [input?: I, call?: CallOptions] : [input: I, call?: CallOptions]

/** A method for every endpoint, named as the endpoint is. */
export type Methods = {
  readonly [Name in BuiltName]: (...args: Arguments<Input<Endpoints[Name]>>) => Promise<Output<Endpoints[Name]>>
}

/** A typed client. Path, query and body members go into one flat object. */
export interface Client extends Methods {
  /** The same client with another credential. */
  as(credential: { apiKey?: string; token?: string }): Client
  readonly options: ClientOptions
}

/** Makes a client for the service at `baseUrl`. */
export function createClient(options: ClientOptions): Client {
  const methods = Object.fromEntries(
    builtEndpoints.map(({ name, it }) => [
      name,
      (input: Record<string, unknown> = {}, call?: CallOptions) => request(options, it, input, call),
    ]),
  ) as unknown as Methods
  const { apiKey: _key, token: _token, ...plain } = options
  return { ...methods, options, as: (credential) => createClient({ ...plain, ...credential }) }
}
