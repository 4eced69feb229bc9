import { Readable } from 'node:stream'
import type { Deps } from '../../deps.js'
import { listAuditEntries, readAuditLog } from '../../foundation/audit/queries.js'
import { auditEntryView, csvHeader, csvLine } from '../../foundation/audit/view.js'
import type { Handlers } from '../../foundation/calls/call.js'
import type { AgentRow } from '../agents/queries.js'
import { agentView } from '../agents/view.js'
import { countUnread, listNotifications } from '../notifications/queries.js'
import { notificationView } from '../notifications/view.js'
import { getOwnedAgent } from '../owners/queries.js'
import { decideApproval, freezeAgent, unfreezeAgent, updateControls } from './actions.js'
import { listActivity } from './activity.js'
import { countWaiting, listApprovals } from './approvals.js'
import { getRules } from './rules.js'
import { approvalView, controlsView } from './view.js'

export function controlRoutes(deps: Deps) {
  const { db } = deps
  const controlsOf = async ({ id }: Pick<AgentRow, 'id'>) => controlsView(id, await getRules(db, deps, id))

  return {
    async getOwnedAgent({ owner, input }) {
      const agent = await getOwnedAgent(db, owner, input.id)
      return {
        agent: agentView(agent),
        controls: await controlsOf(agent),
        unreadNotifications: await countUnread(db, agent.id),
        waitingApprovals: await countWaiting(db, deps, agent.id),
      }
    },

    async getOwnedAgentActivity({ owner, input: { id, days = 30 } }) {
      const agent = await getOwnedAgent(db, owner, id)
      return { agentId: agent.id, activity: await listActivity(db, deps, agent, days) }
    },

    async listOwnedAgentNotifications({ owner, input: { id, ...request } }) {
      const agent = await getOwnedAgent(db, owner, id)
      const viewer = { id: agent.id, subject: agent.subject, walletAddress: agent.wallet_address }
      const { rows, meta } = await listNotifications(db, viewer, request)
      return { data: rows.map(notificationView), meta }
    },

    async freezeAgent({ owner, input: { id, ...input }, requestId }) {
      const agent = await getOwnedAgent(db, owner, id)
      await freezeAgent(deps, agent, { ...input, requestId })
      return controlsOf(agent)
    },

    async unfreezeAgent({ owner, input, requestId }) {
      const agent = await getOwnedAgent(db, owner, input.id)
      await unfreezeAgent(deps, agent, { requestId })
      return controlsOf(agent)
    },

    async updateControls({ owner, input: { id, ...changes }, requestId }) {
      const agent = await getOwnedAgent(db, owner, id)
      await updateControls(deps, agent, { ...changes, requestId })
      return controlsOf(agent)
    },

    async listApprovals({ owner, input: { id, ...request } }) {
      const agent = await getOwnedAgent(db, owner, id)
      const { rows, meta } = await listApprovals(db, deps, agent.id, request)
      return { data: rows.map(approvalView), meta }
    },

    async decideApproval({ owner, input: { id, ...input }, requestId }) {
      const agent = await getOwnedAgent(db, owner, id)
      return approvalView(await decideApproval(deps, agent, { ...input, requestId }))
    },

    async listAuditEntries({ owner, input: { id, ...request } }) {
      const agent = await getOwnedAgent(db, owner, id)
      const { rows, meta } = await listAuditEntries(db, agent.id, request)
      return { data: rows.map(auditEntryView), meta }
    },

    async exportAuditLog({ owner, input: { id, ...filters } }) {
      const agent = await getOwnedAgent(db, owner, id)
      return Readable.from(csvOf(readAuditLog(db, agent.id, filters)))
    },

    getMyControls: ({ agent }) => controlsOf(agent),

    async listMyApprovals({ agent, input }) {
      const { rows, meta } = await listApprovals(db, deps, agent.id, input)
      return { data: rows.map(approvalView), meta }
    },
  } satisfies Partial<Handlers>
}

async function* csvOf(batches: ReturnType<typeof readAuditLog>): AsyncGenerator<string> {
  yield csvHeader
  for await (const rows of batches) yield rows.map(csvLine).join('')
}
