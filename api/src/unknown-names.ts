import { distance } from './edit-distance.js'
import { isUsualNameOf } from './usual-names.js'

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
    .filter((word) => Math.abs(bare(word).length - wanted.length) <= most)
    .map((word) => ({ word, far: distance(wanted, bare(word)) }))
    .sort((one, other) => one.far - other.far)
  return nearest && nearest.far <= most ? nearest.word : undefined
}

/** The known member that a caller probably meant by another name: a misspelling, or what others call it. */
export function meantMember(sent: string, known: readonly string[]): string | undefined {
  return meantWord(sent, known) ?? known.find((name) => isUsualNameOf(name, bare(sent)))
}

// Spelled in another case, or with underscores, it is the same word.
function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

const SHOWN_NAME = /^(?!(?:sk|whsec)_)[A-Za-z][\w-]{0,39}$/

/** A name as it may be repeated to whoever sent it: a short plain word that is no credential, or a word in its place. */
export function shownName(name: string): string {
  return SHOWN_NAME.test(name) ? name : '(hidden)'
}

/**
 * Explains a member that is not known: which one was probably meant, preferably one that was not sent as well. If none
 * is near, it lists all that are known.
 *
 * @example
 * ```ts
 * import { explainUnknown } from '@rookery/sdk'
 *
 * const { path, message } = explainUnknown('visiblity', ['content', 'visibility'])
 * console.log(`${path} ${message}`) // visiblity is not known here; did you mean `visibility`?
 * ```
 */
export function explainUnknown(
  name: string,
  known: readonly string[],
  sent: readonly string[] = [],
): { path: string; message: string } {
  const left = known.filter((member) => !sent.includes(member))
  const meant = meantMember(name, left) ?? meantMember(name, known)
  return {
    path: shownName(name),
    message: `is not known here; ${meant === undefined ? listOf(known) : `did you mean \`${meant}\`?`}`,
  }
}

function listOf(known: readonly string[]): string {
  if (known.length === 0) return 'leave it out'
  return `known ${known.length > 1 ? 'are' : 'is'} ${known.map((member) => `\`${member}\``).join(', ')}`
}
