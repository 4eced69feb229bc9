import { distance } from '@rookery/api'

// Read by Node, by libraries, by commands beside the service, or by tools that read the same file.
const OTHERS =
  /^(NODE_.*|UV_.*|TZ|LANG|LC_.*|NO_COLOR|FORCE_COLOR|TERM|CI|DEBUG|PG[A-Z]+|SSL_CERT_(FILE|DIR)|(HTTP|HTTPS|ALL|NO)_PROXY|ROOKERY_.*|DEPLOYER_PRIVATE_KEY|CHROMIUM|COMPOSE_.*|POSTGRES_.*|npm_.*)$/i

// Amazon's tools and those of OpenTelemetry read many variables; a name close to one of ours still counts as a typo.
const LARGE_FAMILIES = /^(AWS|OTEL)_/

// Families of variables that nothing else on a machine is likely to use.
const FAMILIES = /^(RATE_LIMIT|EMBEDDINGS|CHAIN|WEBHOOKS|SHARED_ANSWERS|STREAMS?|X_CLIENT)_/

// Kubernetes and Docker set these for a service that is named like one of those families.
const SET_BY_PLATFORMS = /_(SERVICE|PORT|TCP|UDP|ENV|NAME)(_|$)/

const SHORT = 5
const LONG = 10

/** Whether a name in a `.env` file is meant for another program. */
export function isForOthers(name: string, knownNames: readonly string[]): boolean {
  return OTHERS.test(name) || (LARGE_FAMILIES.test(name) && findTypo(name, knownNames) === undefined)
}

/** Finds the known name closest to a wrong one, if any is close enough. */
export function nearestName(name: string, knownNames: readonly string[]): string | undefined {
  const given = name.toUpperCase()
  const most = Math.max(1, Math.floor(given.length / 3))
  const byDistance = knownNames
    .map((candidate) => ({ candidate, far: distance(given, candidate) }))
    .sort((a, b) => a.far - b.far)
  const [nearest] = byDistance
  return nearest && nearest.far <= most ? nearest.candidate : undefined
}

/** A name in the environment that looks like a typo, and the name that was meant if that is clear. */
export interface Suspect {
  readonly name: string
  readonly meant: string | undefined
}

/** Lists names in the environment that look like typos. Most variables there belong to other programs, so this is strict. */
export function listSuspects(
  env: Readonly<Record<string, string | undefined>>,
  knownNames: readonly string[],
): Suspect[] {
  return Object.keys(env)
    .filter((name) => !knownNames.includes(name) && !OTHERS.test(name))
    .flatMap((name): Suspect[] => {
      const meant = findTypo(name, knownNames)
      // If the right name is set too, the other belongs to another program.
      if (meant !== undefined) return env[meant] === undefined ? [{ name, meant }] : []
      return FAMILIES.test(name) && !SET_BY_PLATFORMS.test(name) ? [{ name, meant: undefined }] : []
    })
}

/** Finds the known name that this one is a typo of. Short names have too many neighbours: for them only swapped letters count. */
function findTypo(name: string, knownNames: readonly string[]): string | undefined {
  return knownNames.find((candidate) => {
    if (candidate.length <= SHORT)
      return candidate.length === name.length && candidate !== name && isExchanged(name, candidate)
    return distance(name, candidate) <= (candidate.length < LONG ? 1 : 2)
  })
}

function isExchanged(a: string, b: string): boolean {
  return distance(a, b) === 1 && [...a].sort().join() === [...b].sort().join()
}
