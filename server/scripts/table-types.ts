import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { openEmbedded } from '../src/foundation/db/connect.js'
import { migrate } from '../src/foundation/db/migrate.js'

/** What the driver returns for a column, by PostgreSQL's name of its type; see the parsers of foundation/db/connect.ts. */
const DRIVER_TYPES: Readonly<Record<string, string>> = {
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  'double precision': 'number',
  integer: 'number',
  'integer[]': 'number[]',
  jsonb: 'unknown',
  numeric: 'string',
  smallint: 'number',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  uuid: 'string',
  'uuid[]': 'string[]',
  vector: 'string',
}

const HEX = `\`0x\${string}\``

/** Columns about whose values the service knows more than the schema says, by name in every table that has them. */
const BY_NAME: Readonly<Record<string, string>> = {
  address: HEX,
  audience: HEX,
  holder: HEX,
  receiver: HEX,
  sender: HEX,
  subject: HEX,
  trader: HEX,
  wallet: HEX,
  wallet_address: HEX,
}

/** The same for single columns. */
const BY_COLUMN: Readonly<Record<string, string>> = {
  'agent.labels': 'Label[]',
  'agent_control.allowed_actions': 'AgentAction[]',
  'approval.action': 'AgentAction',
  'audience_tally.type': "TweetType | 'QUOTE'",
  'chain_block.hash': HEX,
  'chain_cursor.contract': HEX,
  'chain_cursor.hash': HEX,
  'decision.decision': 'DecisionType',
  'decision.label': 'Label',
  'decision.target_type': 'ModerationTargetType',
  'file.withheld': 'Withheld',
  'notification.decision': 'NotifiedDecision',
  'notification.trade': 'NotifiedTrade | OutsideTrade',
  'notification.type': 'NotificationType',
  'notification_mute.type': 'MutableNotificationType',
  'report.reason': 'ReportReason',
  'report.target_type': 'ModerationTargetType',
  'share_launch.owner': HEX,
  'skill.labels': 'Label[]',
  'skill.withheld': '{ readonly decision?: Withheld; readonly suspension?: Withheld }',
  'skill_version.findings': "ScanResult['findings']",
  'skill_version.signature': HEX,
  'trade_rule.allowed_actions': 'AgentAction[]',
  'tweet.labels': 'Label[]',
  'tweet.medias': 'TweetMedia[]',
  'tweet.withheld': `{ readonly audience: ${HEX} | null; readonly decision?: Withheld; readonly suspension?: Withheld; readonly original?: Withheld }`,
  'withheld_media.media': 'TweetMedia',
  'tweet_embedding.type': 'TweetType',
  'tweet_order.type': "TweetType | 'QUOTE'",
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

/** The types of all tables as the migrations make them, in TypeScript. */
export async function createTableTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-tables-'))
  try {
    const database = await openEmbedded(join(folder, 'database'))
    try {
      await migrate(database.pool)
      return writeTables(await readColumns(database.pool), await readUnions(database.pool))
    } finally {
      await database.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readColumns(pool: Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(`
    select relname as table, attname as name, format_type(atttypid, null) as type, not attnotnull as "isNullable"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped
    order by relname collate "C", attnum`)
  return rows
}

// As PostgreSQL writes `check (status in ('pending', 'active'))`.
const LIST = /^CHECK \(\((\w+) = ANY \(ARRAY\[((?:'\w+'::text(?:, )?)+)\]\)\)\)$/

/** The values that a check lists, as a union, by table and column. */
async function readUnions(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ table: string; definition: string }>(`
    select relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid where contype = 'c'`)
  return new Map(
    rows.flatMap(({ table, definition }) => {
      const [, column, list] = LIST.exec(definition) ?? []
      return column && list ? [[`${table}.${column}`, list.replaceAll('::text', '').replaceAll(', ', ' | ')]] : []
    }),
  )
}

function writeTables(columns: readonly Column[], unions: ReadonlyMap<string, string>): string {
  refuseUnknown(columns)
  const tables = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const own = columns.filter((column) => column.table === table)
    return `  ${table}: {\n${own.map((column) => `    readonly ${column.name}: ${typeOf(column, unions)}\n`).join('')}  }\n`
  })
  const imports = [
    ...new Set(Object.values(BY_COLUMN).flatMap((type) => type.match(/(?<![\w'])[A-Z]\w+/g) ?? [])),
  ].sort()
  return `// Made from the migrations by \`npm run generate\`.
import type { ${imports.join(', ')} } from '@rookery/api'

/** The columns of every table, as the driver returns them. */
export interface Tables {
${tables.join('')}}
`
}

function typeOf({ table, name, type, isNullable }: Column, unions: ReadonlyMap<string, string>): string {
  const base = BY_COLUMN[`${table}.${name}`] ?? unions.get(`${table}.${name}`) ?? BY_NAME[name] ?? DRIVER_TYPES[type]
  if (!base)
    throw new Error(`${table}.${name} has the type ${type}: say in DRIVER_TYPES what the driver returns for it`)
  return isNullable && base !== 'unknown' ? `${base} | null` : base
}

/** A refinement for a column that was renamed would silently refine nothing. */
function refuseUnknown(columns: readonly Column[]): void {
  const known = new Set(columns.flatMap(({ table, name }) => [name, `${table}.${name}`]))
  const unknown = [...Object.keys(BY_NAME), ...Object.keys(BY_COLUMN)].filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`No table has ${unknown.join(', ')}: correct the refinements`)
}
