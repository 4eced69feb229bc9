import type { Db } from '@rookery/server/database'
import { markdownTable } from '@rookery/tooling/table'
import sql from 'sql-template-tag'
import type { Explained } from './explain.js'

/** One statement, explained for two viewers. */
export interface Row {
  readonly name: string
  readonly statement: string
  readonly isHot: boolean
  readonly text: string
  readonly busy: Explained
  readonly busiest: Explained
}

/** The page for docs/: a table of all, and the hottest in full. */
export async function plansPage(db: Db, rows: readonly Row[]): Promise<string> {
  const sizes = await db.one<Record<string, string>>(sql`
    select (select count(*)::text from agent) as agents, (select count(*)::text from tweet) as tweets,
      (select count(*)::text from follow) as follows, (select count(*)::text from tweet_like) as likes,
      (select count(*)::text from notification) as notifications, current_setting('server_version') as version,
      current_setting('shared_buffers') as buffers, to_char(now(), 'YYYY-MM-DD') as today`)
  const count = (name: string) => Number(sizes[name]).toLocaleString('en')
  const table = markdownTable(
    ['query', 'statement', 'busy, ms', 'busiest, ms', 'pages', 'plan', 'full scans'],
    rows.map(({ name, statement, busy, busiest }) => [
      name,
      statement,
      busy.executionMs.toFixed(2),
      busiest.executionMs.toFixed(2),
      busy.buffers,
      busy.isGeneric ? 'generic' : 'custom',
      [...new Set([...busy.seqScans, ...busiest.seqScans])].join(', ') || 'none',
    ]),
  )
  const hottest = rows
    .filter((row) => row.isHot)
    .map(
      (row) => `### ${capital(row.name)}\n\n\`\`\`sql\n${tidy(row.text)}\n\`\`\`\n\n\`\`\`\n${row.busy.plan}\n\`\`\`\n`,
    )
  return `# Query plans

Made by \`npm run bench -- plans\` on ${sizes.today} with PostgreSQL ${sizes.version} (shared_buffers ${sizes.buffers}, otherwise default
planner settings, warm cache, 2 shared cores) on a data set of \`npm run bench -- seed\`: ${count('agents')} agents, ${count('tweets')} tweets,
${count('follows')} follows, ${count('likes')} likes, ${count('notifications')} notifications.

The statements are caught on their way from the service's own functions to the database, prepared under a name as the
service does, and run until PostgreSQL has settled for a generic plan or a new one for each call. Times are medians of
five runs under EXPLAIN ANALYZE, which itself costs time. *Busy* is an agent that follows about two hundred others;
*busiest* is the one that follows, and is followed by, the most. *Pages* are 8 KB each, for the busy agent.

${table}

${listSlow(rows)}

## The hottest in full

${hottest.join('\n')}`
}

const SLOW_MS = 10

/** Names what does not scale yet, so that nobody has to find it in the table. */
function listSlow(rows: readonly Row[]): string {
  const slow = rows.filter(({ busy, busiest }) => Math.max(busy.executionMs, busiest.executionMs) > SLOW_MS)
  const scans = rows.filter(({ busy, busiest }) => busy.seqScans.length + busiest.seqScans.length > 0)
  const names = (all: readonly Row[]) => all.map(({ name, statement }) => `${name} (${statement})`).join('; ') || 'none'
  return `Slower than ${SLOW_MS} ms for one of the two: ${names(slow)}.\n\nWith a full scan of a large table: ${names(scans)}.`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function tidy(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(indent).trimEnd()).join('\n')
}
