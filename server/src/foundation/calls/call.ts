import type { Readable } from 'node:stream'
import type { Auth, CallName, ChannelName, EndpointName, Endpoints, Input, Output } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from '../../http/cookies.js'
import type { ReceivedFile } from '../../http/receive-file.js'
import type { CallEntry } from '../audit/actions.js'
import type { Db } from '../db/db.js'
import type { AgentIdentity } from './agent-identities.js'
import type { OwnerIdentity } from './owner-tokens.js'
import type { ReadyJson } from './ready-json.js'

/** Who calls: an agent, an owner, or nobody known. */
export type Caller =
  | { readonly kind: 'agent'; readonly agent: AgentIdentity }
  | { readonly kind: 'owner'; readonly owner: OwnerIdentity }
  | { readonly kind: 'anyone' }

/** Names who calls, for counting and for keeping callers apart: the agent, else the owner, else the client address. */
export function callerName(caller: Caller, address: string): string {
  if (caller.kind === 'agent') return `agent:${caller.agent.id}`
  if (caller.kind === 'owner') return `owner:${caller.owner.id}`
  return `address:${address}`
}

type Known<A extends Auth> = A extends 'agent'
  ? { readonly agent: AgentIdentity }
  : A extends 'owner'
    ? { readonly owner: OwnerIdentity }
    : A extends 'agent-or-owner'
      ? { readonly caller: Extract<Caller, { kind: 'agent' | 'owner' }> }
      : A extends 'browser'
        ? { readonly cookies: Cookies }
        : A extends 'none'
          ? { readonly viewer: undefined; readonly bearer?: string | undefined }
          : { readonly viewer: AgentIdentity | undefined }

/** What a call that writes knows besides. */
interface Write {
  readonly requestId: string
  /** The database. What an agent writes by this handle stands in the audit log by the same transaction. */
  readonly db: Db
  /** The line that the call leaves in the audit log, for a change that is made by other means than this handle. */
  readonly entry?: CallEntry | undefined
}

/** What was sent, with files as they were received. */
type Received<I> = { readonly [Name in keyof I]: I[Name] extends Blob ? ReceivedFile : I[Name] }

/** One call of an endpoint: what was sent, and who sent it. */
export type Call<Name extends EndpointName> = {
  readonly input: Received<Input<Endpoints[Name]>>
  /** Where the call came from. */
  readonly address: string
} & Known<Endpoints[Name]['auth']> &
  (Endpoints[Name]['method'] extends 'GET' ? unknown : Write)

/** What is answered with; a text may come piece by piece, and JSON may be ready. */
type Answer<O> = O | ReadyJson<O> | (O extends string ? Readable : never)

/** A function for every endpoint that answers once; the compiler sees to it that none is missing. */
export type Handlers = {
  readonly [Name in CallName]: (
    call: Call<Name>,
  ) => Promise<Answer<Output<Endpoints[Name]>>> | Answer<Output<Endpoints[Name]>>
}

/** A function for every channel. It takes the connection over, or refuses it. */
export type Doors = {
  readonly [Name in ChannelName]: (
    call: Call<Name>,
    connection: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ) => Promise<void>
}
