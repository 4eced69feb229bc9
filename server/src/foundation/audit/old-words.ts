import sql from 'sql-template-tag'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import type { Secrets } from '../secrets.js'
import { type AuditedWords, digestOf } from './actions.js'

type OldEntry = Row<'audit_entry', 'agent_id' | 'id' | 'action' | 'outcome' | 'code' | 'summary'>

/** Up to which entry the words are out: entries are walked by agent. */
export interface WordsPosition {
  readonly agentId: string
  readonly id: string
}

/** How many entries are read at a time; of most, nothing is to be taken out. */
export const ENTRIES_AT_ONCE = 1_000

/** What came before the words in the entries of earlier releases, by action. */
const POST = /^(?:Post|Reply|Repost): /
const DECIDED = /^(?:Approved|Rejected): (?:Post|Reply|Repost): /
const PREFIXES: Readonly<Record<string, RegExp>> = {
  createTweet: /^[^:]*: /,
  repostTweet: POST,
  expireApproval: POST,
  decideApproval: DECIDED,
  freezeAgent: /^Froze the agent: /,
  createAppeal: /^Appealed a decision: /,
  answerAppeal: /^Answered the appeal \([^)]*\): /,
  addLabel: /^Labelled the \w+ as [^:]*: /,
  removeLabel: /^Removed the label of the \w+ as [^:]*: /,
  takeDown: /^Took down the \w+: /,
  restore: /^Restored the \w+: /,
  suspendAgent: /^Suspended the \w+: /,
  unsuspendAgent: /^Lifted the suspension of the \w+: /,
  dismissReports: /^Dismissed reports of the \w+: /,
}
/** A refusal of a frozen agent once quoted the owner's reason. */
const FROZEN = /This agent is frozen: (?=.)/

/** What an entry of an earlier release says without words of others, and those words; undefined if it has none. */
export function splitOldSummary({
  action,
  outcome,
  code,
  summary,
}: Pick<OldEntry, 'action' | 'outcome' | 'code' | 'summary'>): { summary: string; words: string } | undefined {
  if (outcome === 'refused') {
    const end = code === 'AGENT_FROZEN' ? (FROZEN.exec(summary)?.index ?? -1) : -1
    if (end < 0) return undefined
    return { summary: `${summary.slice(0, end)}This agent is frozen.`, words: summary.slice(end) }
  }
  const prefix = PREFIXES[action]?.exec(summary)?.[0]
  if (prefix === undefined) return undefined
  return { summary: prefix.slice(0, -2), words: summary.slice(prefix.length) }
}

/**
 * Takes the words out of the next entries. Returns the last one read; undefined when there are no more. The digest is of what
 * stood there: the first 300 characters with single spaces.
 */
export async function eraseOldWords(
  db: Db,
  secrets: Pick<Secrets, 'hash'>,
  after: WordsPosition,
): Promise<WordsPosition | undefined> {
  const rows = await db.many<OldEntry>(sql`
    select agent_id, id, action, outcome, code, summary from audit_entry
    where (agent_id, id) > (${after.agentId}, ${after.id}) order by agent_id, id limit ${ENTRIES_AT_ONCE}`)
  const changed = rows.flatMap((row) => {
    const split = splitOldSummary(row)
    return split ? [{ ...row, summary: split.summary, words: digestOf(secrets, split.words) }] : []
  })
  if (changed.length > 0) await eraseWords(db, changed)
  const last = rows.at(-1)
  return last && { agentId: last.agent_id, id: last.id }
}

async function eraseWords(
  db: Db,
  entries: readonly (Pick<OldEntry, 'agent_id' | 'id' | 'summary'> & { words: AuditedWords | undefined })[],
): Promise<void> {
  const rows = entries.map(({ agent_id, id, summary, words }) => ({
    agent_id,
    id,
    summary,
    digest: words?.digest.toString('hex'),
    characters: words?.characters,
  }))
  await allowErasing(db)
  await db.run(sql`
    update audit_entry set summary = entry.summary, words_digest = decode(entry.digest, 'hex'),
      words_characters = entry.characters
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as entry (agent_id uuid, id uuid, summary text, digest text, characters integer)
    where audit_entry.agent_id = entry.agent_id and audit_entry.id = entry.id`)
}

/** Lets the current transaction take words out of the audit log and out of decisions, which nothing else can change. */
export async function allowErasing(db: Db): Promise<void> {
  await db.run(sql`select set_config('rookery.erasing', 'on', true)`)
}
