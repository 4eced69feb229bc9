import { headerOf, type Migration } from './migrations.js'
import { splitAtCommas, splitStatements, withoutContents } from './sql-statements.js'

// What a migration may do to a table that exists: nothing that makes a reader or writer wait for as long as the table is big.
// Looks at the words of a statement, so it knows only what is written as the service's migrations are.

interface Rule {
  readonly is: RegExp
  readonly advice: string
}

const BACKFILL = 'make it a backfill (features/*/backfills.ts), which goes batch by batch beside old and new versions'
const CONCURRENT_FILE = 'in a file of its own that begins with "-- @concurrently"'

/** What statements on existing tables must not be. Those on tables that the same file creates have nobody to wait. */
const STATEMENTS: readonly Rule[] = [
  { is: /^(update|delete from|merge into) /, advice: `it holds its rows until all are done: ${BACKFILL}` },
  { is: /^insert into .* select .* from /, advice: `it reads all of another table: ${BACKFILL}` },
  { is: /^create (unlogged |temp )?table .* as /, advice: `it reads all of another table: ${BACKFILL}` },
  { is: /^(lock|truncate) /, advice: 'nobody else can use the table until the end: do without' },
  { is: /^(vacuum full|cluster|reindex(?!.* concurrently)) ?/, advice: 'it rewrites under a lock: do without' },
  { is: /^refresh materialized view (?!concurrently)/, advice: 'it locks out readers: refresh it concurrently' },
  { is: /^(do |call )/, advice: 'what is inside cannot be checked: write the statements plainly' },
  { is: /^set /, advice: 'limits on waiting are set for all migrations: leave them' },
  { is: /^(begin|commit|rollback|start transaction)\b/, advice: 'transactions are made around the file: leave it out' },
]

const ACTIONS: readonly Rule[] = [
  {
    is: /^alter (column )?\S+ (set data )?type /,
    advice: 'it rewrites the table: add a column, backfill it, and read that',
  },
  { is: /^set (logged|unlogged|tablespace|access method)/, advice: 'it rewrites the table: do without' },
  {
    is: /^add (column )?(if not exists )?\S+ .*\b(small|big)?serial\b/,
    advice: 'it rewrites the table: backfill a plain column',
  },
  {
    is: /^add (column )?(if not exists )?\S+ .*\bgenerated\b/,
    advice: 'it rewrites the table: backfill a plain column',
  },
  {
    is: /^add (column )?(if not exists )?\S+ .*\b(unique|primary key)\b(?! using index)/,
    advice: `it makes an index under a lock: create it concurrently ${CONCURRENT_FILE}`,
  },
  {
    is: /^validate constraint /,
    advice: `the lock of an earlier statement would be held meanwhile: validate it ${CONCURRENT_FILE}`,
  },
]

const IN_CONCURRENT_FILES =
  /^(create (unique )?index concurrently |drop index concurrently if exists |alter table (only )?\S+ validate constraint [^,]*$)/

/** What in a migration can make readers or writers wait, one sentence for each statement. `earlier` are those before it. */
export function findOffline(migration: Migration, earlier: readonly Migration[] = []): string[] {
  const statements = splitStatements(migration.text).map((one) => plain(one))
  if (headerOf(migration).isConcurrent)
    return statements
      .filter((one) => !IN_CONCURRENT_FILES.test(one))
      .map(
        (one) =>
          `${head(one)}: a file with "-- @concurrently" may only create indexes concurrently, drop them "concurrently if exists" and validate constraints, so that it can be repeated`,
      )
  const created = new Set(
    statements.flatMap((one) => /^create (?:\w+ )?table (?:if not exists )?([\w".]+)/.exec(one)?.[1] ?? []),
  )
  return statements.flatMap((one) => {
    if (created.has(tableOf(one) ?? '') && !readsOthers(one, created)) return []
    const advice =
      adviceFor(one, created) ?? (one.startsWith('alter table') ? adviceForActions(one, earlier) : undefined)
    return advice ? [`${head(one)}: ${advice}`] : []
  })
}

function plain(statement: string): string {
  const words = withoutContents(statement).replace(/\s+/g, ' ').trim().toLowerCase()
  // Whether a table has any row is known at once.
  return words.replace(/\bexists \(select from \w+\)/g, 'true')
}

const head = (statement: string) => (statement.length > 70 ? `${statement.slice(0, 67)}...` : statement)

const TABLE =
  /^(?:alter table (?:if exists )?(?:only )?|update (?:only )?|delete from (?:only )?|insert into |truncate (?:table )?|lock (?:table )?)([\w".]+)|^create (?:unique )?index(?: .*?)? on (?:only )?([\w".]+)/

function tableOf(statement: string): string | undefined {
  const match = TABLE.exec(statement)
  return match?.[1] ?? match?.[2]
}

function readsOthers(statement: string, created: ReadonlySet<string>): boolean {
  if (!/^(insert|update|delete)/.test(statement)) return false
  const sources = [...statement.matchAll(/\b(?:from|join|using) ([a-z_][\w.]*)(?! ?\()/g)].map(([, name = '']) => name)
  return sources.some((name) => name !== tableOf(statement) && !created.has(name) && !isNamedInside(name, statement))
}

// The name of a subquery, or a function such as unnest.
function isNamedInside(name: string, statement: string): boolean {
  return (
    statement.includes(`${name} as (`) || statement.includes(`${name}(`) || ['lateral', 'select', 'rows'].includes(name)
  )
}

function adviceFor(statement: string, created: ReadonlySet<string>): string | undefined {
  if (/^create (unique )?index concurrently/.test(statement))
    return 'it cannot run inside a transaction: put it in a file of its own that begins with "-- @concurrently"'
  if (/^create (unique )?index /.test(statement))
    return `writers wait until the index is made: create it concurrently ${CONCURRENT_FILE}`
  if (/^drop index /.test(statement))
    return `readers wait for it: "drop index concurrently if exists" ${CONCURRENT_FILE}`
  if (/^insert /.test(statement) && !readsOthers(statement, created)) return undefined
  return STATEMENTS.find(({ is }) => is.test(statement))?.advice
}

function adviceForActions(statement: string, earlier: readonly Migration[]): string | undefined {
  const [, table = '', rest = ''] = /^alter table (?:if exists )?(?:only )?([\w".]+) (.*)$/.exec(statement) ?? []
  for (const action of splitAtCommas(rest)) {
    const advice =
      ACTIONS.find(({ is }) => !isConstraint(action) && is.test(action))?.advice ??
      adviceForConstraint(action) ??
      adviceForNotNull(action, table, earlier) ??
      adviceForDefault(action)
    if (advice) return advice
  }
  return undefined
}

const isConstraint = (action: string) => /^add (constraint|check|foreign key|unique|primary key|exclude)\b/.test(action)

function adviceForConstraint(action: string): string | undefined {
  if (isConstraint(action)) {
    if (/\b(unique|primary key) using index /.test(action) || /\bnot valid$/.test(action)) return undefined
    if (/\b(unique|primary key|exclude)\b/.test(action) && !/\b(check|foreign key)\b/.test(action))
      return `it makes an index under a lock: create a unique index concurrently ${CONCURRENT_FILE}, and use it ("using index")`
    return `it reads the table under a lock: add it "not valid", and validate it ${CONCURRENT_FILE}`
  }
  if (/^add (column )?.*\bcheck ?\(/.test(action))
    return `it reads the table under a lock: add the check by "add constraint … not valid", and validate it ${CONCURRENT_FILE}`
  return undefined
}

// With a validated check that says the same, the table is not read.
function adviceForNotNull(action: string, table: string, earlier: readonly Migration[]): string | undefined {
  const column = /^alter (?:column )?(\S+) set not null/.exec(action)?.[1]
  if (!column) return undefined
  const before = earlier.flatMap(({ text }) => splitStatements(text).map(plain))
  const check = new RegExp(
    `^alter table ${table} add constraint (\\S+) check \\(\\(?${column} is not null\\)?\\) not valid`,
  )
  const isValidated = before.some((one) => {
    const name = check.exec(one)?.[1]
    return name !== undefined && before.includes(`alter table ${table} validate constraint ${name}`)
  })
  return isValidated
    ? undefined
    : `it reads the table under a lock: add "check (${column} is not null) not valid", validate it ${CONCURRENT_FILE}, and then set not null`
}

// A constant is kept beside the table; anything that differs from row to row is written into each.
function adviceForDefault(action: string): string | undefined {
  if (!/^add /.test(action)) return undefined
  const [, value = ''] = /\bdefault (.*)$/.exec(action) ?? []
  const calls = [...value.matchAll(/\b([a-z_]\w*) ?\(/g)].map(([, name]) => name)
  const constant = ['now', 'numeric', 'varchar', 'check', 'references']
  return calls.every((name) => name !== undefined && constant.includes(name))
    ? undefined
    : 'its default differs from row to row, so it rewrites the table: add the column without, then "alter column … set default", and backfill'
}
