import { describe, expect, test } from 'vitest'
import { headerOf, type Migration, readMigrations } from './migrations.js'
import { findOffline } from './online.js'
import { splitStatements } from './sql-statements.js'

// From this number on. Those before it have been applied to data out there, and wait.
const FIRST = '0247'
const migrations = readMigrations()
// What looks as if others waited, and why they do not.
const HARMLESS: Readonly<Record<string, RegExp>> = {
  // Reads both tables before it locks either, and adds checks that are not valid yet.
  '0270_partition_bounds.sql': /^do \$\$/,
  // These tables are new and empty: `partition_table` has made them, in the same transaction.
  '0272_partitions.sql': /^(alter table notification add constraint notification_once|create index notification_)/,
  '0273_audit_partitions.sql': /^(alter table audit_entry add constraint audit_entry_pkey|create index audit_entry_)/,
}
const file = (text: string): Migration => ({ name: '9000_new.sql', text, checksum: '' })

describe('a new migration', () => {
  test('makes no reader or writer wait', () => {
    const found = migrations.flatMap((migration, index) =>
      migration.name < FIRST
        ? []
        : findOffline(migration, migrations.slice(0, index))
            .filter((what) => !HARMLESS[migration.name]?.test(what))
            .map((what) => `${migration.name}: ${what}`),
    )
    expect(found).toEqual([])
  })

  test('says which older versions may run beside it: "-- @beside <version>" or "-- @beside none" in its first lines', () => {
    const silent = migrations.filter((migration) => {
      const beside = headerOf(migration).beside
      return migration.name >= FIRST && !(beside === 'none' || /^\d+\.\d+\.\d+$/.test(beside ?? ''))
    })
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})

describe('what would make others wait', () => {
  test.each([
    ['alter table tweet alter column content type varchar(10)', 'rewrites the table'],
    ['alter table tweet alter content set not null', 'check (content is not null) not valid'],
    ['alter table tweet add column x uuid not null default gen_random_uuid()', 'differs from row to row'],
    ['alter table tweet add x timestamptz default clock_timestamp()', 'differs from row to row'],
    ['alter table tweet add column x bigserial', 'rewrites the table'],
    ['alter table tweet add column x integer generated always as (length(content)) stored', 'rewrites the table'],
    ['alter table tweet add column x text unique', 'index under a lock'],
    ['alter table tweet add column y text, add column x integer check (x > 0)', 'add constraint … not valid'],
    ['alter table tweet add constraint c check (length(content) < 10)', 'add it "not valid"'],
    ['alter table tweet add constraint c foreign key (agent_id) references agent', 'add it "not valid"'],
    ['alter table tweet add constraint c unique (content)', 'using index'],
    ['alter table tweet validate constraint c', 'file of its own'],
    ['alter table tweet set unlogged', 'rewrites the table'],
    ['create index on tweet (content)', 'create it concurrently'],
    ['create unique index x on only tweet (content)', 'create it concurrently'],
    ['create index concurrently x on tweet (content)', 'cannot run inside a transaction'],
    ['drop index tweet_x', 'drop index concurrently if exists'],
    ['update tweet set content = null', 'make it a backfill'],
    ["delete from tweet where content = 'create table tweet'", 'make it a backfill'],
    ['create table x (id uuid); insert into x select id from tweet', 'make it a backfill'],
    ['create table x as select * from tweet', 'make it a backfill'],
    ['lock table tweet', 'do without'],
    ['truncate tweet', 'do without'],
    ['cluster tweet using tweet_pkey', 'do without'],
    ['do $$ begin update tweet set content = null; end $$', 'cannot be checked'],
    ["set lock_timeout = '1h'", 'leave them'],
    ['-- @concurrently\nalter table tweet add column x text', 'may only create indexes'],
    ['-- @concurrently\ncreate index x on tweet (content)', 'may only create indexes'],
  ])('%s', (text, advice) => {
    expect(findOffline(file(text)).join()).toContain(advice)
  })
})

describe('what makes nobody wait', () => {
  test.each([
    'create table x (id uuid primary key, n integer not null check (n > 0)); create index on x (n); insert into x values (1, 2)',
    'create table x (id uuid default gen_random_uuid()); update x set id = null; alter table x alter id type text',
    "alter table tweet add column x text, add column y integer not null default 0, add column z text[] default '{}'",
    'alter table tweet add column x timestamptz default now(), add column y numeric(78, 0) default 0::numeric(78, 0)',
    'alter table tweet add column x uuid references agent (id)',
    'alter table tweet add constraint c check (length(content) < 10) not valid',
    'alter table tweet add constraint c unique using index tweet_x',
    'alter table tweet alter column content drop not null, alter column content set default 1',
    "insert into job (id, kind) select gen_random_uuid(), 'backfill' where exists (select from tweet)",
    'create function f() returns trigger language plpgsql as $$ begin update tweet set content = null; return new; end $$',
    '-- @concurrently\ncreate index concurrently x on tweet (content);\ndrop index concurrently if exists y; alter table tweet validate constraint c;',
  ])('%s', (text) => {
    expect(findOffline(file(text))).toEqual([])
  })

  test('is "set not null" after a check that says the same is validated', () => {
    const text = 'alter table tweet alter column content set not null'
    const added = file('alter table tweet add constraint c check (content is not null) not valid')
    expect(findOffline(file(text), [added])).toHaveLength(1)
    const validated = file('-- @concurrently\nalter table tweet validate constraint c;')
    expect(findOffline(file(text), [added, validated])).toEqual([])
  })
})

test('statements are split at semicolons outside of strings, names, comments and bodies', () => {
  expect(
    splitStatements(`-- first; of all\nselect ';''' /* ; */ ; select ";" as x;;
      create function f() returns void language sql as $f$ select 1; select '$$'; $f$;`),
  ).toEqual([
    "select ';'''",
    'select ";" as x',
    "create function f() returns void language sql as $f$ select 1; select '$$'; $f$",
  ])
})
