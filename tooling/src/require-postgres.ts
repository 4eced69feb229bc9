import { findPostgres, startPostgres as start } from '../postgres.mjs'
import { canInstall, INSTALL_COMMAND, provision } from '../provision.mjs'
import { UsageError } from './command.js'

/** Starts a temporary PostgreSQL server. Installs PostgreSQL first if possible. */
export async function startPostgres(
  settings: Readonly<Record<string, string | number>> = {},
): ReturnType<typeof start> {
  requirePostgres()
  return start(settings)
}

/** The folder with the programs of PostgreSQL. Installs them where it can, or else says by which command to do so. */
export function requirePostgres(): string {
  if (findPostgres() === undefined && canInstall()) provision(['PostgreSQL'])
  const programs = findPostgres()
  if (programs === undefined)
    throw new UsageError(`PostgreSQL 15 or newer with pgvector is not installed. ${INSTALL_COMMAND}`)
  return programs
}
