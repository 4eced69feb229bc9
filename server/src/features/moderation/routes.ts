import type { Handlers } from '../../call.js'
import { answerAppeal } from './answer-appeal.js'
import { createAppeal, listNotices } from './appeals.js'
import { getCase, listCases } from './cases.js'
import { decide } from './decide.js'
import { createReport, listReports } from './reports.js'
import { appealView, caseViews, decisionView, fullCaseView, noticeView, reportView } from './view.js'

export const moderationRoutes = {
  createReport: async ({ caller, address, input, deps }) =>
    reportView(await createReport(deps, caller, address, input)),

  async listReports({ caller, input, deps: { db } }) {
    const { rows, meta } = await listReports(db, caller, input)
    return { data: rows.map(reportView), meta }
  },

  async listModerationCases({ input, deps: { db } }) {
    const { rows, meta } = await listCases(db, input)
    return { data: await caseViews(db, rows), meta }
  },

  getModerationCase: async ({ input, deps: { db } }) => fullCaseView(db, await getCase(db, input.id)),

  async createDecision({ moderator, input: { targetType, targetId, ...input }, requestId, deps }) {
    return decisionView(await decide(deps, { targetType, targetId }, { ...input, decidedBy: moderator, requestId }))
  },

  async listModerationNotices({ caller, input, deps: { db, clock } }) {
    const { rows, meta } = await listNotices(db, caller, input)
    return { data: rows.map((row) => noticeView(row, clock.now())), meta }
  },

  createAppeal: async ({ caller, input, requestId, deps }) =>
    appealView(await createAppeal(deps, caller, input, requestId)),

  answerAppeal: async ({ moderator, input, requestId, deps }) =>
    appealView(await answerAppeal(deps, { ...input, decidedBy: moderator, requestId })),
} satisfies Partial<Handlers>
