/**
 * How the test treats each block of commands in docs/operating.md, by the heading above it and, from the second one there, its number.
 * A block that is missing here fails the test.
 */
export type Treatment = Run | NotRun

export interface Run {
  /** What it has to print. */
  readonly prints?: RegExp
  /** The exit code; 0 by default. */
  readonly code?: number
  /** Where it runs; by default the installation with PostgreSQL. */
  readonly on?: 'embedded'
  /** It sets variables: this command runs with them, after the last line and before each that sets one again. */
  readonly sets?: string
}

interface NotRun {
  /** Why it cannot run here. */
  readonly notRun: string
  /** The test that runs the same, or holds the files that it names. */
  readonly elsewhere: string
}

const PREFLIGHT = 'npm run operate -- preflight'

export const treatments: Readonly<Record<string, Treatment>> = {
  PostgreSQL: { prints: /CREATE EXTENSION\nGRANT ROLE/ },
  'PostgreSQL 2': { prints: /^Applied:\n0001_foundation\.sql/ },
  'Behind a pooler': { sets: PREFLIGHT, prints: /^ok +PostgreSQL/ },
  'Several servers': {},
  'Several servers 2': { sets: PREFLIGHT, prints: /^ok +PostgreSQL/ },
  'Before the first start': { prints: /^ok +PostgreSQL[\s\S]*\nok +data folder/ },
  'A folder for production': {
    notRun: 'installs everything and needs two machines',
    elsewhere: 'e2e/src/production.test.ts',
  },
  'As a systemd service': { notRun: 'needs systemd and makes an account', elsewhere: 'tooling/test/deploy.test.ts' },
  'In containers': { notRun: 'needs docker or podman', elsewhere: 'tooling/test/deploy.test.ts' },
  'In containers 2': { notRun: 'needs docker', elsewhere: 'tooling/test/deploy.test.ts' },
  'On Kubernetes': { notRun: 'needs a cluster', elsewhere: 'tooling/test/deploy.test.ts' },
  'Behind a proxy': { sets: PREFLIGHT, prints: /^ok +PostgreSQL/ },
  Staging: { notRun: 'programs that go on; this test has one of its own', elsewhere: 'e2e/src/staging.test.ts' },
  Tracing: { sets: PREFLIGHT, prints: /^ok +PostgreSQL/ },
  Upgrading: { prints: /^No migration is missing\.$/m },
  'Upgrading 2': { prints: /^No migration is missing\.$/m },
  'Upgrading 3': { prints: /\w/ },
  'Backing up': { on: 'embedded', prints: /is a complete backup: [\s\S]*is complete: / },
  'With PostgreSQL': { prints: /is a complete backup: / },
  'With PostgreSQL 2': { prints: /is a complete backup: / },
  'Growth and retention': {},
  'Growth and retention 2': { prints: /audit_entry_\d{6} +\| \d+ kB/ },
  'Rotating secrets': { sets: 'npm run operate -- secrets', prints: /is the newest/ },
  'Rotating secrets 2': { prints: /is the newest/ },
  'Rotating secrets 3': { on: 'embedded', code: 1, prints: /There is a new secret[\s\S]*is older: drop it after/ },
  'Erasing somebody': { prints: /Nothing has been erased[\s\S]*Gone from everywhere[\s\S]*\bowner\b/ },
  'Erasing somebody 2': { prints: /are erased again/ },
  'Changing the embedding model': { prints: /Search uses the new vectors now/ },
  Failover: { prints: /^ t$/m },
  Restoring: { on: 'embedded', prints: /is restored: / },
  'Restoring 2': { prints: /CREATE EXTENSION/ },
  'Back to a moment (PostgreSQL)': {},
  'A leaked or lost secret': { prints: /count no more/ },
}

/** What each of the operator's commands in the table has to print. */
export const commands: Readonly<Record<string, RegExp>> = {
  preflight: /^ok +PostgreSQL/,
  'migrate --check': /^No migration is missing/,
  backfills: /\w/,
  jobs: /^embed_tweet +\d+ +\d+ +1$/m,
  'jobs embed_tweet --failed': /failed/,
  'job 0199…': /no model/,
  'retry-jobs embed_tweet': /^1 jobs are due again/,
  'cancel-job 0199…': /is cancelled/,
  "hide 0199… --reason 'Names a child'": /\w/,
  'unhide 0199…': /\w/,
  'suspend parley --with-wallet': /parley/,
  'unsuspend parley': /parley/,
  'ban-wallet 0x70a4… --reason Fraud': /0x/,
  'unban-wallet 0x70a4…': /0x/,
  'bans --all': /Fraud/,
  moderators: /\w/,
  "moderators add 0x3c44… 'Mo Lindt'": /^0x\w+ moderates/,
  'moderators remove 0x3c44…': /^0x\w+/,
  'erase-agent magpie': /Nothing has been erased/,
  instances: /serves/,
  'drain 0199…': / drains within about a second/,
  'undrain 0199…': / takes callers again/,
  'why 0199…': /INVALID_API_KEY|AUTH/,
}
