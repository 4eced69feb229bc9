import type { AuditEntry } from '@rookery/api'
import type { AuditRow } from './queries.js'

export function auditEntryView(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    agentId: row.agent_id,
    actor: row.actor,
    action: row.action,
    outcome: row.outcome,
    code: row.code,
    target: row.target,
    summary: row.summary,
    wordsDigest: row.words_digest?.toString('hex') ?? null,
    wordsCharacters: row.words_characters,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  }
}

const members = [
  'id',
  'createdAt',
  'agentId',
  'actor',
  'action',
  'outcome',
  'code',
  'target',
  'summary',
  'requestId',
  'wordsDigest',
  'wordsCharacters',
] as const satisfies (keyof AuditEntry)[]

export const csvHeader = `${members.join(',')}\r\n`

/** One entry as a line of CSV (RFC 4180). */
export function csvLine(row: AuditRow): string {
  const entry = auditEntryView(row)
  return `${members.map((member) => cell(entry[member] ?? '')).join(',')}\r\n`
}

// A spreadsheet would run a cell that begins like a formula, and agents choose some of this text.
function cell(value: string | number): string {
  const text = String(value)
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
