import { Readable } from 'node:stream'
import type { Handlers } from '../../call.js'
import type { Deps } from '../../deps.js'
import { listAuditEntries, readAuditLog } from '../../foundation/audit/queries.js'
import { auditEntryView, csvHeader, csvLine } from '../../foundation/audit/view.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import type { AgentRow } from '../agents/queries.js'
import { agentSummaryView, agentView } from '../agents/view.js'
import { countUnread, listNotifications } from '../notifications/queries.js'
import { notificationView } from '../notifications/view.js'
import { getOwnedAgent, listOwnedAgents } from '../owners/queries.js'
import { findShownRecovery, recoveryView } from '../registration/recovery-rows.js'
import { findLastRelink, relinkView } from '../registration/relink-rows.js'
import { decideApproval, freezeAgent, unfreezeAgent, updateControls } from './actions.js'
import { listActivity } from './activity.js'
import { countWaiting, getApproval, listApprovals, listWaitingApprovals } from './approvals.js'
import { findLastOutsideTrade } from './outside-trades.js'
import { countTradedToday } from './prepared-trades.js'
import { getRules } from './rules.js'
import { approvalView, controlsView } from './view.js'

export const controlRoutes = {
  async getOwnedAgent({ owner, input, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, input.id)
    return {
      agent: agentView(agent),
      controls: await readControls(deps, agent),
      unreadNotifications: await countUnread(deps.db, viewerOf(agent)),
      waitingApprovals: await countWaiting(deps.db, deps, agent.id),
      relink: await readOpenRelink(deps, agent),
      recovery: await readRecovery(deps, agent),
      lastOutsideTrade: await findLastOutsideTrade(deps.db, agent.id),
    }
  },

  async getOwnedAgentActivity({ owner, input: { id, days = 30 }, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    return { agentId: agent.id, activity: await listActivity(deps.db, deps, agent, days) }
  },

  async listOwnedAgentNotifications({ owner, input: { id, ...request }, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    const { rows, meta } = await listNotifications(deps.db, viewerOf(agent), request)
    return { data: rows.map(notificationView), meta }
  },

  async freezeAgent({ owner, input: { id, ...input }, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    await freezeAgent(deps, agent, { ...input, requestId })
    return readControls(deps, agent)
  },

  async unfreezeAgent({ owner, input, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, input.id)
    await unfreezeAgent(deps, agent, { requestId })
    return readControls(deps, agent)
  },

  async updateControls({ owner, input: { id, ...changes }, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    await updateControls(deps, agent, { ...changes, requestId })
    return readControls(deps, agent)
  },

  async listApprovals({ owner, input: { id, ...request }, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    const { rows, meta } = await listApprovals(deps.db, deps, agent.id, request)
    return { data: rows.map((row) => approvalView(row, deps.mediaUrls.sign)), meta }
  },

  async listWaitingApprovals({ owner, input, deps }) {
    const agents = new Map((await listOwnedAgents(deps.db, owner)).map((agent) => [agent.id, agentSummaryView(agent)]))
    const { rows, meta } = await listWaitingApprovals(deps.db, deps, [...agents.keys()], input)
    const data = rows.flatMap((row) => {
      const agent = agents.get(row.agent_id)
      return agent ? [{ ...approvalView(row, deps.mediaUrls.sign), agent }] : []
    })
    return { data, meta }
  },

  async decideApproval({ owner, input: { id, ...input }, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    return approvalView(await decideApproval(deps, agent, { ...input, requestId }), deps.mediaUrls.sign)
  },

  async listAuditEntries({ owner, input: { id, ...request }, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    const { rows, meta } = await listAuditEntries(deps.db, agent.id, request)
    return { data: rows.map(auditEntryView), meta }
  },

  async exportAuditLog({ owner, input: { id, ...filters }, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, id)
    return Readable.from(csvOf(readAuditLog(deps.db, agent.id, filters)))
  },

  getMyControls: ({ agent, deps }) => readControls(deps, agent),

  async getMyApproval({ agent, input: { approvalId }, deps }) {
    return approvalView(await getApproval(deps.db, deps, agent.id, approvalId), deps.mediaUrls.sign)
  },

  async listMyApprovals({ agent, input, deps }) {
    const { rows, meta } = await listApprovals(deps.db, deps, agent.id, input)
    return { data: rows.map((row) => approvalView(row, deps.mediaUrls.sign)), meta }
  },
} satisfies Partial<Handlers>

function viewerOf({ id, subject, wallet_address }: AgentRow): AgentViewer {
  return { id, subject, walletAddress: wallet_address, hasHidden: true }
}

async function readOpenRelink({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id }: Pick<AgentRow, 'id'>) {
  const relink = await findLastRelink(db, id)
  const now = clock.now()
  return relink && relink.ended_at === null && relink.expires_at > now ? relinkView(relink, now) : null
}

async function readRecovery({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id }: Pick<AgentRow, 'id'>) {
  const now = clock.now()
  const recovery = await findShownRecovery(db, id, now)
  return recovery ? recoveryView(recovery, now) : null
}

async function readControls(deps: Pick<Deps, 'db' | 'clock'>, { id }: Pick<AgentRow, 'id'>) {
  return controlsView(id, await getRules(deps.db, deps, id), await countTradedToday(deps.db, deps, id))
}

async function* csvOf(batches: ReturnType<typeof readAuditLog>): AsyncGenerator<string> {
  yield csvHeader
  for await (const rows of batches) yield rows.map(csvLine).join('')
}
