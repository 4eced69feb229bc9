import type { Endpoint } from '@rookery/api'
import { distance } from '../base/edit-distance.js'
import type { Detail } from '../base/problem.js'
import { isUsualNameOf } from './usual-names.js'

/** The known name that a caller probably meant by another. */
export function meantMember(sent: string, known: readonly string[]): string | undefined {
  return meantWord(sent, known) ?? known.find((name) => isUsualNameOf(name, bare(sent)))
}

const LONGEST_WORD = 60

/** The known word that a caller probably misspelled. */
export function meantWord(sent: string, known: readonly string[]): string | undefined {
  // Comparing takes as long as the text is, and no word is longer.
  if (sent.length > LONGEST_WORD) return undefined
  const wanted = bare(sent)
  const same = known.find((word) => bare(word) === wanted)
  // Short words have too many neighbours.
  if (same !== undefined || wanted.length < 4) return same
  const most = wanted.length < 7 ? 1 : 2
  const [nearest] = known
    .map((word) => ({ word, far: distance(wanted, bare(word)) }))
    .sort((one, other) => one.far - other.far)
  return nearest && nearest.far <= most ? nearest.word : undefined
}

// Spelled in another case, or with underscores, it is the same word.
function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

type Members = Readonly<Record<string, unknown>>

const SHOWN_NAME = /^[A-Za-z][\w-]{0,39}$/
const MOST_HINTS = 5
const MOST_NAMES = 50

/**
 * Explains members that an endpoint ignores and that look like one it knows and did not get. An input with them is
 * accepted all the same; one that is refused probably fails because of them.
 */
export function explainIgnored(
  { query, body }: Pick<Endpoint, 'query' | 'body'>,
  sent: { readonly query: unknown; readonly body: unknown },
): Detail[] {
  const parts = [
    { schema: query, members: asMembers(sent.query), other: body, otherMembers: asMembers(sent.body), place: 'body' },
    { schema: body, members: asMembers(sent.body), other: query, otherMembers: asMembers(sent.query), place: 'query' },
  ]
  return parts
    .flatMap(({ schema, members, other, otherMembers, place }) => {
      const known = Object.keys(schema?.properties ?? {})
      const missing = known.filter((name) => members[name] === undefined)
      const elsewhere = Object.keys(other?.properties ?? {}).filter((name) => otherMembers[name] === undefined)
      return Object.keys(members)
        .slice(0, MOST_NAMES)
        .filter((name) => !known.includes(name) && SHOWN_NAME.test(name) && !/^(sk|whsec)_/.test(name))
        .flatMap((path): Detail[] => {
          if (elsewhere.includes(path)) return [{ path, message: `is ignored here: it belongs in the ${place}` }]
          const meant = meantMember(path, known)
          // What was meant may have been sent too: under both names, as some clients do.
          if (meant === undefined || !missing.includes(meant)) return []
          return [{ path, message: `is not known here; did you mean \`${meant}\`?` }]
        })
    })
    .slice(0, MOST_HINTS)
}

function asMembers(part: unknown): Members {
  return typeof part === 'object' && part !== null ? (part as Members) : {}
}
