/** Older than 1.21, or newer: since then it keeps account of named statements. */
export type Generation = 'old' | 'new'
/** How to run PgBouncer of a generation: the program and its first arguments. Undefined if it is not there. */
export function findPgbouncer(generation: Generation): string[] | undefined
/** Fetches the newer generation from Debian, without changing the system. Needs root and apt-get. */
export function fetchNewPgbouncer(): void
/** Starts PgBouncer of a generation in front of the PostgreSQL whose sockets are in `folder`, with transaction pooling. */
export function startPgbouncer(
  generation: Generation,
  options: {
    readonly folder: string
    readonly port?: number
    /** Added to its configuration. */
    readonly settings?: Readonly<Record<string, string | number>>
  },
): Promise<{
  url(database: string): string
  /** Changes settings while it runs. */
  reconfigure(changes: Readonly<Record<string, string | number>>): void
  output(): string
  stop(): Promise<void>
}>
