/** Of the names of variables: which one was meant. */

// Read by Node and by libraries that are used here, by commands beside the service, or by tools that read the same file.
const OTHERS =
  /^(NODE_.*|UV_.*|TZ|LANG|LC_.*|NO_COLOR|FORCE_COLOR|TERM|CI|DEBUG|PG[A-Z]+|SSL_CERT_(FILE|DIR)|(HTTP|HTTPS|ALL|NO)_PROXY|ROOKERY_.*|DEPLOYER_PRIVATE_KEY|CHROMIUM|COMPOSE_.*|POSTGRES_.*|npm_.*)$/i

// The tools of Amazon read many; what is nearly one of ours is taken for a mistake all the same.
const AMAZON = /^AWS_/

// Families of variables that nothing else on a machine is likely to use.
const FAMILIES = /^(RATE_LIMIT|EMBEDDINGS|CHAIN|WEBHOOKS|SHARED_ANSWERS|STREAMS?|X_CLIENT)_/

// What Kubernetes and Docker set for a service of the same name as one of those families.
const SET_BY_PLATFORMS = /_(SERVICE|PORT|TCP|UDP|ENV|NAME)(_|$)/

const SHORT = 5
const LONG = 10

/** Whether a name in a `.env` file is there for somebody else. */
export function isForOthers(name: string, known: readonly string[]): boolean {
  return OTHERS.test(name) || (AMAZON.test(name) && slip(name, known) === undefined)
}

/** The known name that is nearest to one that is certainly wrong, if any is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = name.toUpperCase()
  const most = Math.max(1, Math.floor(given.length / 3))
  const byDistance = known.map((it) => ({ it, far: distance(given, it) })).sort((a, b) => a.far - b.far)
  const [nearest] = byDistance
  return nearest && nearest.far <= most ? nearest.it : undefined
}

/** A name of the environment that looks like a mistake, and what was meant if that is clear. */
export interface Suspect {
  readonly name: string
  readonly meant: string | undefined
}

/** Names of the environment that look like mistakes. Most of what is set there is for others, so only what is hardly anything else. */
export function listSuspects(env: Readonly<Record<string, string | undefined>>, known: readonly string[]): Suspect[] {
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !OTHERS.test(name))
    .flatMap((name): Suspect[] => {
      const meant = slip(name, known)
      // Whoever has set the right one has another for somebody else.
      if (meant !== undefined) return env[meant] === undefined ? [{ name, meant }] : []
      return FAMILIES.test(name) && !SET_BY_PLATFORMS.test(name) ? [{ name, meant: undefined }] : []
    })
}

/** The known name that this one is a slip of the fingers away from. Short names have too many neighbours: there only exchanged letters count. */
function slip(name: string, known: readonly string[]): string | undefined {
  return known.find((it) => {
    if (it.length <= SHORT) return it.length === name.length && it !== name && isExchanged(name, it)
    return distance(name, it) <= (it.length < LONG ? 1 : 2)
  })
}

function isExchanged(a: string, b: string): boolean {
  return distance(a, b) === 1 && [...a].sort().join() === [...b].sort().join()
}

/** How many letters have to be added, removed, replaced or exchanged with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(rows, i - 1, j) + 1,
        (row[j - 1] ?? 0) + 1,
        at(rows, i - 1, j - 1) + (isSame ? 0 : 1),
        isExchanged ? at(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(row)
  }
  return at(rows, a.length, b.length)
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0
}
