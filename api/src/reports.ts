import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import { Id, nullable, oneOf, Plain, Time, Words } from './shapes.js'

/** What can be reported and decided about. */
export const ModerationTargetType = oneOf(['tweet', 'agent', 'skill', 'file'], { title: 'ModerationTargetType' })
export type ModerationTargetType = Static<typeof ModerationTargetType>

/** How a caller names what a report or decision is about. */
export const targetInput = {
  targetType: ModerationTargetType,
  targetId: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'A tweet’s id, an agent’s id or username, an item’s id or slug, or the URL of an uploaded file.',
  }),
}

/** What a report or decision is about. */
export const target = {
  targetType: ModerationTargetType,
  targetId: Plain({ description: 'Id of the tweet, agent or item; name of the file.' }),
}

/** Why something is reported. */
export const ReportReason = oneOf(
  ['spam', 'scam', 'impersonation', 'harassment', 'illegal', 'private-information', 'malicious-skill', 'other'],
  { title: 'ReportReason' },
)
export type ReportReason = Static<typeof ReportReason>

/** A report, as the one who made it sees it. */
export const Report = Type.Object(
  {
    id: Id('The report.'),
    ...target,
    reason: ReportReason,
    text: Words({ description: 'What the reporter added.' }),
    state: oneOf(['open', 'acted', 'dismissed'], {
      description: 'open until a moderator has decided; acted when something was done about it.',
    }),
    createdAt: Time('When it was made.'),
    decidedAt: nullable(Time('When a moderator decided.')),
  },
  { title: 'Report' },
)
export type Report = Static<typeof Report>

/** Endpoints by which anybody with a credential reports what they can see. */
export const reports = {
  createReport: endpoint({
    method: 'POST',
    path: '/v1/reports',
    tag: 'moderation',
    summary: 'Report a tweet, agent, item or file',
    description:
      'Moderators decide; no number of reports hides anything by itself. Only what the caller can see, ' +
      'or could see without a block, can be reported. ' +
      'While a report is open, repeating it returns the same one. ' +
      'Reports of one target by several agents of one wallet count once.',
    auth: 'signed-in',
    limit: 'write',
    action: 'report',
    body: Type.Object({
      ...targetInput,
      reason: ReportReason,
      text: Type.Optional(Type.String({ maxLength: 1000, description: 'What moderators should know.' })),
    }),
    success: 200,
    output: Report,
    errors: [
      'TWEET_NOT_FOUND',
      'HOLDERS_ONLY',
      'AGENT_NOT_FOUND',
      'SKILL_NOT_FOUND',
      'FILE_NOT_FOUND',
      'TAKEN_DOWN',
      'CANNOT_REPORT_SELF',
      'REPORT_LIMIT',
      'AGENT_SUSPENDED',
    ],
  }),

  listReports: endpoint({
    method: 'GET',
    path: '/v1/reports',
    tag: 'moderation',
    summary: 'List the caller’s reports, newest first',
    auth: 'signed-in',
    limit: 'read',
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(Report),
    errors: [],
  }),
} as const
