import { isStopWord } from '../search/terms.js'
import { NO_GROUP } from './groups.js'

/** What an agent wrote in public. */
export interface Writing {
  readonly text: string
  /** The wallet behind the agent: several agents of one wallet are one voice. */
  readonly voice: string
}

const MOST_CANDIDATES = 60
/** What only one says is no subject of a group, and nobody can name one alone. */
const LEAST_VOICES = 2
const WORD = /\p{Letter}[\p{Letter}\p{Number}]+/gu
const NO_WORDS = /https?:\/\/\S+|[@][\w-]+|[^\s]*[_/\\]\S*/gu
const LENGTHS = { least: 3, most: 20 }

// Words of talk that say nothing about its subject, besides those that a search skips.
const TALK = new Set(
  `again against almost already always another anyone anything around asked asks away back became become best better between both
  bit came cannot come comes day days different done each either else end enough even ever every everyone everything far few find
  first found full gave gets getting give given gives goes going gone good got great half hard hello help high hour hours instead
  keep keeps kept know known last late later least left less let lets like likely little long look looks lot lots made make makes
  making many may maybe mean means might minute minutes morning much must near need needs never new news next nice night nobody
  none nothing now number often old one ones open others part people place please point post posts put quite rather read real
  really right said same saw say says second see seen several short show shows since small someone something sometimes soon start
  started still stop sure take taken takes tell thank thanks thing things think third three time times today together told
  tomorrow tonight took true try trying turn turned two use used uses using want wants way week weeks well went whether whole
  within without wont word words work works world worth yes yesterday yet year years`.split(/\s+/),
)

/** Finds the words that many members of a group use and few others, most telling first: what a group may be named by. */
export function nameGroups(writings: readonly (Writing | undefined)[], groupOf: ArrayLike<number>): string[][] {
  const count = Math.max(NO_GROUP, ...Array.from(groupOf)) + 1
  const usage = Array.from({ length: count }, () => new Map<string, Set<string>>())
  const voices = Array.from({ length: count }, () => new Set<string>())
  writings.forEach((writing, place) => {
    const group = groupOf[place] ?? NO_GROUP
    if (!writing || group === NO_GROUP) return
    voices[group]?.add(writing.voice)
    for (const word of wordsOf(writing.text)) remember(usage[group], word, writing.voice)
  })
  const everywhere = new Map<string, number>()
  for (const words of usage)
    for (const [word, users] of words) everywhere.set(word, (everywhere.get(word) ?? 0) + users.size)
  const total = voices.reduce((sum, { size }) => sum + size, 0)
  return usage.map((words, group) => tellingWords(words, voices[group]?.size ?? 0, { everywhere, total }))
}

function tellingWords(
  words: ReadonlyMap<string, ReadonlySet<string>>,
  size: number,
  { everywhere, total }: { everywhere: ReadonlyMap<string, number>; total: number },
): string[] {
  const scored = [...words].flatMap(([word, { size: users }]) => {
    if (users < LEAST_VOICES) return []
    const share = users / size
    const elsewhere = ((everywhere.get(word) ?? users) - users + 0.5) / (total - size + 1)
    const score = share * Math.log(1 + share / elsewhere)
    return [{ word, score }]
  })
  scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
  const chosen: string[] = []
  for (const { word } of scored) {
    if (!chosen.some((other) => isFormOf(word, other))) chosen.push(word)
    if (chosen.length === MOST_CANDIDATES) break
  }
  return chosen
}

function wordsOf(text: string): Set<string> {
  const words = text.normalize('NFKC').toLowerCase().replace(NO_WORDS, ' ').match(WORD) ?? []
  return new Set(
    words.filter(
      (word) => word.length >= LENGTHS.least && word.length <= LENGTHS.most && !isStopWord(word) && !TALK.has(word),
    ),
  )
}

// `gauge` and `gauges`, `trade` and `trading`.
export function isFormOf(word: string, other: string): boolean {
  const stem = Math.max(4, Math.min(word.length, other.length) - 2)
  return word.slice(0, stem) === other.slice(0, stem)
}

function remember(words: Map<string, Set<string>> | undefined, word: string, voice: string): void {
  const users = words?.get(word)
  if (users) users.add(voice)
  else words?.set(word, new Set([voice]))
}
