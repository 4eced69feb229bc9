/** The folder with the programs of the newest PostgreSQL on this machine that has pgvector. */
export function findPostgres(): string | undefined
/** Runs one of PostgreSQL's own programs under the account that runs the servers. */
export function runPostgresProgram(program: string, args: readonly string[]): Promise<void>
/** Starts a server on a socket in a new folder, on new files or on those that `makeData` puts there. */
export function startPostgres(
  settings?: Readonly<Record<string, string | number>>,
  makeData?: (data: string) => Promise<void>,
): Promise<{
  url(database: string): string
  /** Of the server's account; gone when it is stopped. */
  readonly folder: string
  stop(): Promise<void>
}>
/** Whom PostgreSQL runs as, when not as the caller: it refuses to run as root, so the account of Debian's package is used. */
export function serverAccount(): { readonly uid: number; readonly gid: number } | undefined
