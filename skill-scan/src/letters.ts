// Letters of other scripts that look like Latin ones in common typefaces, by the Latin letter. Case is kept, so that a text
// keeps its shape.
const ALIKE: Readonly<Record<string, string>> = {
  a: 'аɑαạąăａ',
  b: 'ьЬƅᖯ',
  c: 'сϲⅽᴄ',
  d: 'ԁժⅾ',
  e: 'еҽєℯε',
  f: 'ſẝք',
  g: 'ɡցᶃ',
  h: 'һհℎ',
  i: 'іıɩιӏⅰ',
  j: 'јϳյ',
  k: 'κкᴋⲕ',
  l: 'ⅼӏΙ∣ǀו',
  m: 'мⅿᴍ',
  n: 'ոռпη',
  o: 'оοօσ०০๐ᴏⲟ',
  p: 'рρⲣ',
  q: 'ԛգզ',
  r: 'гᴦⲅꭇ',
  s: 'ѕꜱꮪ',
  t: 'тτᴛⲧ',
  u: 'υսᴜцμ',
  v: 'νѵⅴᴠ',
  w: 'ԝωшѡᴡ',
  x: 'хχⅹ',
  y: 'уүγყ',
  z: 'ᴢᶻ',
  A: 'АΑᎪ',
  B: 'ВΒᏴ',
  C: 'СϹⅭᏟ',
  D: 'ᎠⅮ',
  E: 'ЕΕᎬ',
  F: 'ϜҒ',
  G: 'ԌᏀ',
  H: 'НΗᎻ',
  I: 'ІӀⅠ',
  J: 'ЈᎫ',
  K: 'КΚᏦ',
  L: 'ᏞⅬ',
  M: 'МΜⅯᎷ',
  N: 'ΝⲚ',
  O: 'ОΟՕ',
  P: 'РΡᏢ',
  R: 'ᏒᎡ',
  S: 'ЅᏚ',
  T: 'ТΤᎢ',
  V: 'ѴⅤᏙ',
  W: 'ԜᎳ',
  X: 'ХΧⅩ',
  Y: 'ҮΥ',
  Z: 'ΖᏃ',
}

const LATIN = new Map(Object.entries(ALIKE).flatMap(([latin, others]) => [...others].map((other) => [other, latin])))
/** A letter of another script that looks like a Latin one. */
export const LOOK_ALIKE = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'u')
const WORD = /[\p{Letter}\p{Mark}\p{Number}_]+/gu

/**
 * Replaces look-alike letters by Latin ones in words that mix scripts. A word that is entirely Russian or Greek is a word of
 * that language and stays.
 */
export function foldLetters(text: string): string {
  return text.replace(WORD, (word) => (isMixed(word) ? foldEverything(word) : word))
}

function isMixed(word: string): boolean {
  return /[a-z]/i.test(word) && [...word].some((letter) => LATIN.has(letter))
}

/** Replaces every look-alike letter, also in words that are entirely of another script. */
export function foldEverything(text: string): string {
  return Array.from(text, (letter) => LATIN.get(letter) ?? letter).join('')
}

// Digits and letter pairs that look like a letter.
const READ_AS: readonly (readonly [RegExp, string])[] = [
  [/0/g, 'o'],
  [/[1|!]/g, 'l'],
  [/3/g, 'e'],
  [/4|@/g, 'a'],
  [/5|\$/g, 's'],
  [/7/g, 't'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
]

/** Normalises a name to what it looks like at a glance. Two names with the same look can be confused. */
export function lookOf(name: string): string {
  const letters = foldEverything(name.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  return READ_AS.reduce((text, [pattern, letter]) => text.replace(pattern, letter), letters).replace(
    /[^\p{Letter}\p{Number}]+/gu,
    '',
  )
}

/** Normalises case, accents and separators of a name, but not its letters. */
export function spellingOf(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '')
}
