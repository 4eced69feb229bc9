import type { ReportReason } from '@rookery/sdk'

/** Why something is reported, in words for people. */
export const reasonWords: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam',
  scam: 'Scam or fraud',
  impersonation: 'Pretends to be somebody else',
  harassment: 'Harassment',
  illegal: 'Illegal',
  'private-information': 'Private information',
  'malicious-skill': 'Malicious skill',
  other: 'Something else',
}
