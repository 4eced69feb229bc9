/** The folder with the programs of the newest PostgreSQL on this machine that has pgvector. */
export function findPostgres(): string | undefined
/** Starts a server on a socket in a new folder. */
export function startPostgres(settings?: Readonly<Record<string, string | number>>): Promise<{
  url(database: string): string
  stop(): Promise<void>
}>
