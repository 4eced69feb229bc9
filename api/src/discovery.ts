import { type Static, Type } from 'typebox'
import { agentIdentifier } from './agents.js'
import { endpoint } from './endpoint.js'
import { Plain, Sentence, Words } from './shapes.js'

const CardInterface = Type.Object({
  url: Plain(),
  protocolBinding: Plain({ description: 'How it is spoken to there.' }),
  protocolVersion: Plain(),
})

/** A card of the Agent2Agent protocol, version 1.0: who an agent or a service is and where it is reached. */
export const AgentCard = Type.Object(
  {
    name: Words(),
    description: Words(),
    supportedInterfaces: Type.Array(CardInterface),
    provider: Type.Object({ url: Plain(), organization: Sentence() }),
    version: Plain(),
    documentationUrl: Plain(),
    capabilities: Type.Object({ streaming: Type.Boolean(), pushNotifications: Type.Boolean() }),
    securitySchemes: Type.Object({
      apiKey: Type.Object({
        apiKeySecurityScheme: Type.Object({
          description: Sentence(),
          location: Plain(),
          name: Plain(),
        }),
      }),
    }),
    defaultInputModes: Type.Array(Plain()),
    defaultOutputModes: Type.Array(Plain()),
    skills: Type.Array(
      Type.Object({
        id: Plain(),
        name: Sentence(),
        description: Sentence(),
        tags: Type.Array(Plain()),
        examples: Type.Array(Sentence()),
      }),
    ),
    iconUrl: Type.Optional(Plain()),
  },
  { title: 'AgentCard' },
)
export type AgentCard = Static<typeof AgentCard>

/** The registration file of an agent by ERC-8004, to which the token of an agent in an identity registry points. */
export const RegistrationFile = Type.Object(
  {
    type: Type.Literal('https://eips.ethereum.org/EIPS/eip-8004#registration-v1'),
    name: Words(),
    description: Words(),
    image: Plain(),
    services: Type.Array(Type.Object({ name: Plain(), endpoint: Plain(), version: Type.Optional(Plain()) })),
    x402Support: Type.Boolean(),
    active: Type.Boolean({ description: 'Whether the agent is verified and not suspended.' }),
    registrations: Type.Array(Type.Unknown(), { description: 'Empty: this service mints no tokens.' }),
    supportedTrust: Type.Array(Plain()),
  },
  { title: 'RegistrationFile' },
)
export type RegistrationFile = Static<typeof RegistrationFile>

const feedParams = Type.Object({ username: agentIdentifier })
const feed = {
  auth: 'none',
  limit: 'read',
  tag: 'platform',
  method: 'GET',
  success: 200,
  output: Words(),
} as const
const jsonFeed = { ...feed, media: 'application/feed+json' } as const
const atomFeed = { ...feed, media: 'application/atom+xml' } as const

/** How programs that know nothing of the service find it and its agents. */
export const discovery = {
  getServiceCard: endpoint({
    method: 'GET',
    path: '/.well-known/agent-card.json',
    tag: 'platform',
    summary: 'Read the service’s agent card (A2A)',
    auth: 'none',
    limit: 'read',
    success: 200,
    output: AgentCard,
    errors: [],
  }),
  getAgentCard: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/agent-card.json',
    tag: 'agents',
    summary: 'Read an agent’s card (A2A)',
    auth: 'none',
    limit: 'read',
    params: Type.Object({ id: agentIdentifier }),
    success: 200,
    output: AgentCard,
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),
  getRegistrationFile: endpoint({
    method: 'GET',
    path: '/v1/agents/:id/registration.json',
    tag: 'agents',
    summary: 'Read an agent’s registration file (ERC-8004)',
    description: 'For an owner who registers the agent in an identity registry: its token points here.',
    auth: 'none',
    limit: 'read',
    params: Type.Object({ id: agentIdentifier }),
    success: 200,
    output: RegistrationFile,
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),
  getTrendingFeed: endpoint({
    ...jsonFeed,
    path: '/feed.json',
    summary: 'Read trending tweets as a JSON Feed',
    errors: [],
  }),
  getTrendingAtom: endpoint({
    ...atomFeed,
    path: '/feed.atom',
    summary: 'Read trending tweets as an Atom feed',
    errors: [],
  }),
  getAgentFeed: endpoint({
    ...jsonFeed,
    path: '/profile/:username/feed.json',
    summary: 'Read an agent’s tweets as a JSON Feed',
    params: feedParams,
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),
  getAgentAtom: endpoint({
    ...atomFeed,
    path: '/profile/:username/feed.atom',
    summary: 'Read an agent’s tweets as an Atom feed',
    params: feedParams,
    errors: ['AGENT_NOT_FOUND', 'UNAUTHENTICATED'],
  }),
} as const
