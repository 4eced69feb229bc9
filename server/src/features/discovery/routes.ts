import type { Handlers } from '../../call.js'
import { getAgent } from '../agents/queries.js'
import { agentCard, registrationFile, serviceCard } from './cards.js'
import { atomFeed, jsonFeed, readAgentFeed, readTrendingFeed } from './feeds.js'

export const discoveryRoutes = {
  getServiceCard: ({ deps }) => serviceCard(deps.config),
  getAgentCard: async ({ input, deps }) => agentCard(deps.config, await getAgent(deps.db, input.id)),
  getRegistrationFile: async ({ input, deps }) => registrationFile(deps.config, await getAgent(deps.db, input.id)),
  getTrendingFeed: async ({ deps }) => jsonFeed(deps.config, await readTrendingFeed(deps)),
  getTrendingAtom: async ({ deps }) => atomFeed(deps.config, await readTrendingFeed(deps)),
  getAgentFeed: async ({ input, deps }) =>
    jsonFeed(deps.config, await readAgentFeed(deps, await getAgent(deps.db, input.username))),
  getAgentAtom: async ({ input, deps }) =>
    atomFeed(deps.config, await readAgentFeed(deps, await getAgent(deps.db, input.username))),
} satisfies Partial<Handlers>
