import { type Chance, createChance, oneOf } from './chance.js'
import { createPalette, type Mood, type Palette } from './colors.js'

/** What stands in a scene, from far to near. */
export const GROUNDS = ['mountains', 'city', 'forest', 'desert', 'field', 'sea'] as const
export type Ground = (typeof GROUNDS)[number]

/** What moves through the air. */
export type Weather = 'rain' | 'snow' | 'fireflies' | 'birds' | 'clear'

/** A scene and its words, derived from a prompt: the same prompt gives the same one. */
export interface Storyboard {
  readonly mood: Mood
  readonly grounds: readonly Ground[]
  readonly weather: Weather
  readonly palette: Palette
  /** What is written, one after the other. */
  readonly phrases: readonly string[]
  readonly chance: Chance
}

const moodWords: Readonly<Record<Mood, string>> = {
  space:
    'space galaxy galaxies planet planets nebula cosmos cosmic universe orbit astronaut rocket asteroid mars saturn',
  night: 'night midnight stars starry moon moonlight moonlit dark darkness dream dreams neon lantern lanterns sleep',
  sunset: 'sunset dusk evening twilight golden autumn fire flame flames lava volcano warm',
  dawn: 'dawn sunrise morning daybreak spring blossom hope beginning awakening',
  storm: 'storm stormy thunder lightning rain rainy tempest hurricane grey gray cloudy fog foggy mist',
  day: 'day noon summer sunny bright sky blue clear happy',
}

const groundWords: Readonly<Record<Ground, string>> = {
  mountains: 'mountain mountains peak peaks alps cliff cliffs valley canyon summit volcano hill hills rock rocks',
  city: 'city cities skyline town tower towers building buildings street streets skyscraper market office urban neon',
  forest: 'forest forests tree trees wood woods jungle pine pines fox wolf deer bear rook rooks owl rookery',
  desert: 'desert dune dunes sand sandy sahara camel oasis mars cactus',
  field: 'field fields meadow grass farm garden flowers flower wheat prairie countryside horse village park',
  sea: 'sea ocean beach wave waves water lake river ship ships boat boats sail whale whales fish island harbour harbor coast tide lighthouse',
}

const weatherWords: Readonly<Record<Exclude<Weather, 'clear'>, string>> = {
  rain: 'rain rainy storm stormy thunder drizzle monsoon',
  snow: 'snow snowy winter blizzard ice icy frozen arctic christmas frost',
  fireflies: 'fireflies firefly magic magical dream dreams lantern lanterns spark sparks embers glow glowing fairy',
  birds:
    'bird birds rook rooks crow crows gull gulls seagull seagulls raven ravens swallow swallows flock fly flying rookery',
}

/** Reads a scene out of a prompt. What the prompt leaves open is chosen by its hash. */
export function createStoryboard(prompt: string): Storyboard {
  const chance = createChance(prompt)
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? []
  const known = new Set([...words, ...words.map((word) => word.replace(/s$/, ''))])
  const has = (list: string) => list.split(' ').some((word) => known.has(word))
  const found = <Name extends string>(table: Readonly<Record<Name, string>>) =>
    (Object.keys(table) as Name[]).filter((name) => has(table[name]))
  const mood = found(moodWords)[0] ?? oneOf<Mood>(chance, ['dawn', 'day', 'sunset', 'night'])
  const named = found(groundWords)
  const other = mood === 'space' ? [] : [oneOf<Ground>(chance, ['mountains', 'sea', 'forest', 'field', 'city'])]
  const grounds = named.length > 0 ? GROUNDS.filter((ground) => named.includes(ground)) : other
  const usual = oneOf<Weather>(chance, mood === 'night' || mood === 'space' ? ['clear'] : ['birds', 'clear'])
  const weather = found(weatherWords)[0] ?? (mood === 'storm' ? 'rain' : usual)
  const palette = createPalette(mood, words, chance)
  return { mood, grounds, weather, palette, phrases: phrasesOf(prompt), chance }
}

const MAX_WORDS = 24
const PHRASE_LETTERS = 34
const MAX_PHRASES = 4

// Scripts that the font can write.
const WRITABLE =
  /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{M}]|\p{Extended_Pictographic}/gu

/** The words of a prompt in pieces that are read at a glance. A long prompt is cut, and says so. */
export function phrasesOf(prompt: string): string[] {
  const all = prompt
    .replace(WRITABLE, ' ')
    .replace(/\p{C}/gu, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const short = (word: string) => (word.length > PHRASE_LETTERS ? `${word.slice(0, PHRASE_LETTERS - 1)}…` : word)
  const text = all.slice(0, MAX_WORDS).map(short).join(' ')
  const phrases = text
    .split(/(?<=[.!?;:,]) /)
    .filter(Boolean)
    .flatMap(evenly)
  const shown = phrases.slice(0, MAX_PHRASES)
  const isCut = phrases.length > MAX_PHRASES || all.length > MAX_WORDS
  return isCut ? shown.map((phrase, index) => (index === shown.length - 1 ? `${phrase} …` : phrase)) : shown
}

/** Splits a clause into pieces of about the same length, none of them too long. */
function evenly(clause: string): string[] {
  const length = clause.length / Math.ceil(clause.length / PHRASE_LETTERS)
  const pieces: string[] = []
  for (const word of clause.split(' ')) {
    const last = pieces.at(-1)
    if (last === undefined || last.length >= length - 2 || last.length + word.length >= PHRASE_LETTERS)
      pieces.push(word)
    else pieces[pieces.length - 1] = `${last} ${word}`
  }
  return pieces
}
