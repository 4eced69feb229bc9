/** The program folder of the newest PostgreSQL on this machine that has pgvector. */
export function findPostgres(): string | undefined
/** Runs one of PostgreSQL's own programs under the account that runs the servers. */
export function runPostgresProgram(program: string, args: readonly string[]): Promise<void>
/** Starts a server on a socket in a new folder, with a new database or the files that `makeData` puts there. */
export function startPostgres(
  settings?: Readonly<Record<string, string | number>>,
  makeData?: (data: string) => Promise<void>,
): Promise<{
  url(database: string): string
  /** Owned by the server's account; removed when the server stops. */
  readonly folder: string
  stop(): Promise<void>
  /** Ends it at once, as a power cut does. */
  crash(): Promise<void>
}>
/** The account that runs PostgreSQL, if not the caller's: it refuses to run as root, so Debian's account is used. */
export function serverAccount(): { readonly uid: number; readonly gid: number } | undefined
