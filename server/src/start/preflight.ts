import type { Logger } from 'pino'
import { ConfigError } from '../base/config-error.js'
import type { Config } from '../config/config.js'
import { aroundChecks, redisCheck } from './check-around.js'
import { databaseChecks } from './check-database.js'
import { type Report, run } from './finding.js'

/** Looks at everything the configuration names, all at once, and changes nothing. */
export async function preflight(config: Config, log: Pick<Logger, 'warn'>): Promise<Report[]> {
  const reports = [
    databaseChecks(config, { waitMs: 0, log }),
    ...[...aroundChecks(config), ...redisCheck(config)].map(run),
  ]
  return (await Promise.all(reports)).flat()
}

/** Refuses a start that would fail later, after it has changed something: with all that is wrong, not with the first alone. */
export async function checkBeforeStart(config: Config, log: Pick<Logger, 'warn'>): Promise<void> {
  // Not at Redis, without which the service starts: it says itself when that is away.
  const looks = [databaseChecks(config, { waitMs: config.DATABASE_WAIT_MS, log }), ...aroundChecks(config).map(run)]
  const reports = (await Promise.all(looks)).flat()
  for (const { finding } of reports) if (finding.is === 'warning') log.warn(finding.text)
  const failures = reports.filter(({ finding }) => finding.is === 'failed').map(({ finding }) => finding.text)
  if (failures.length > 0) throw new ConfigError(failures.join(' '))
}
