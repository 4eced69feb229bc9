import type { Readable } from 'node:stream'
import type { Auth, CallName, ChannelName, EndpointName, Endpoints, Input, Output } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Network } from './base/network.js'
import type { Deps } from './deps.js'
import type { CallEntry } from './foundation/audit/actions.js'
import type { AgentIdentity } from './foundation/callers/agent-identities.js'
import type { Caller } from './foundation/callers/caller.js'
import type { OwnerIdentity, SessionIdentity } from './foundation/callers/session-tokens.js'
import type { Viewer } from './foundation/db/visibility.js'
import type { LabelledText } from './foundation/labelled-text.js'
import type { ReadyJson } from './foundation/ready-json.js'
import type { ReceivedFile } from './foundation/received-file.js'
import type { StaticFile } from './foundation/static-file.js'

/** The cookies of a browser that has an owner's session. */
export interface Cookies {
  get(name: CookieName): string | undefined
  set(name: CookieName, value: string, seconds: number): void
  clear(name: CookieName): void
}

export type CookieName = 'login' | 'session'

/** The caller, as far as the endpoint requires it. */
type CallerOf<A extends Auth> = A extends 'agent'
  ? { readonly agent: AgentIdentity }
  : A extends 'owner'
    ? { readonly owner: OwnerIdentity }
    : A extends 'agent-or-owner'
      ? { readonly caller: Extract<Caller, { kind: 'agent' | 'owner' }> }
      : A extends 'signed-in'
        ? { readonly caller: Exclude<Caller, { kind: 'anyone' }> }
        : A extends 'person'
          ? { readonly person: SessionIdentity }
          : A extends 'moderator'
            ? {
                /** The moderator's wallet. */
                readonly moderator: `0x${string}`
              }
            : A extends 'browser'
              ? { readonly cookies: Cookies }
              : A extends 'none'
                ? { readonly viewer: undefined; readonly bearer?: string | undefined }
                : {
                    /** The calling agent. */
                    readonly agent: AgentIdentity | undefined
                    /** Who looks: the calling agent, or a person with a session. */
                    readonly viewer: Viewer | undefined
                  }

/** Uploads arrive as files on this machine. */
type Received<I> = { readonly [Name in keyof I]: I[Name] extends Blob ? ReceivedFile : I[Name] }

/** One call of an endpoint: its input, its caller and its dependencies. */
export type Call<Name extends EndpointName> = {
  readonly input: Received<Input<Endpoints[Name]>>
  /** The client's network: an IPv4 address, or the /64 of an IPv6 address. */
  readonly address: Network
  readonly requestId: string
  /** The first transaction on its `db` also writes the call's audit entry. */
  readonly deps: Deps
  /** The same entry, for a change that a batch makes together with other callers' changes. */
  readonly entry?: CallEntry | undefined
} & CallerOf<Endpoints[Name]['auth']>

/** Text may be streamed or carry headers, JSON may already be serialized, and what never changes is kept as it is sent. */
type Answer<O> = O | ReadyJson<O> | StaticFile<O> | (O extends string ? Readable | LabelledText : never)

/** A function for every endpoint that answers once. The compiler requires all of them. */
export type Handlers = {
  readonly [Name in CallName]: (
    call: Call<Name>,
  ) => Promise<Answer<Output<Endpoints[Name]>>> | Answer<Output<Endpoints[Name]>>
}

/** A function for every channel. It takes over the connection, or refuses it. */
export type Channels = {
  readonly [Name in ChannelName]: (
    call: Call<Name>,
    connection: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ) => Promise<void>
}

/** Upgrades a request to a WebSocket; undefined when it is no proper handshake or its client has left. */
export type Upgrade = (request: FastifyRequest, reply: FastifyReply) => Promise<WebSocket | undefined>
