import { foldEverything, LOOK_ALIKE } from './letters.js'
import { boundMarks, plain } from './text.js'

/**
 * Other ways to read a document, each with the same lines. A model reads through spelling, markup and simple ciphers that a
 * pattern does not, so the rules are applied to each of them.
 */
export function readingsOf(document: string): string[] {
  const bare = stripDress(plain(document))
  const readings = [bare]
  if (LOOK_ALIKE.test(bare) || DIGITS_AS_LETTERS.test(bare)) readings.push(readDigits(foldEverything(bare)))
  if (ROT13_WORDS.test(bare)) readings.push(rot13(bare))
  if (REVERSED_WORDS.test(bare)) readings.push(bare.split('\n').map(reversed).join('\n'))
  return readings
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  vert: '|',
}

// Removes what changes how a text looks, but not how it reads.
function stripDress(text: string): string {
  const bare = decodeEscapes(text)
    // Comments, tags and emphasis inside a word.
    .replace(/<!--[^\n<>]{0,40}-->/g, '')
    .replace(/<\/?[a-z]{1,10}>(?=\w)|(?<=\w)<\/?[a-z]{1,10}>/gi, '')
    .replace(/(?<=\w)[*~`]{1,3}(?=\w)|(?<![\w])_{1,2}(?=\w)|(?<=\w)_{1,2}(?![\w])/g, '')
    // Strings that are put together, and quotes or backslashes inside a command.
    .replace(/["'`]\s{0,4}[+.&]?\s{0,4}["'`](?=\w)/g, '')
    .replace(/(?<=\w)(?:""|''|\\)(?=\w)/g, '')
    .replace(/\$\{?IFS\}?/g, ' ')
    // Encoded text between the parts of a command, however long it is.
    .replace(/[A-Za-z0-9+/=]{120,}/g, (digits) => digits.slice(0, 20))
    // Cells of a table.
    .replace(/^[ \t]{0,8}\|.*$/gm, (row) => row.replace(/(?<!\\)\|/g, ' ').replaceAll('\\|', '|'))
  // Escapes can stand for marks, and what is removed can have stood between them.
  const withoutMarks = boundMarks(bare)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return joinSpelledOut(withoutMarks)
}

function decodeEscapes(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) =>
      name === undefined ? characterOf(decimal ?? hex, decimal ? 10 : 16) : (NAMED[name.toLowerCase()] ?? whole),
    )
    .replace(/\\x([0-9a-f]{2})|\\u\{?([0-9a-f]{4,6})\}?|%([0-7][0-9a-f])/gi, (_, byte, unit, percent) =>
      characterOf(byte ?? unit ?? percent, 16),
    )
}

// A line break must not add a line.
function characterOf(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? ' ' : String.fromCodePoint(code)
}

const SPACED = /(?<!\S)(?:\S {1,3}){5,200}\S(?!\S)/g
const DOTTED = /(?<![\w.])(?:\p{Letter}[._·-]){5,200}\p{Letter}(?!\w)/gu

// "i g n o r e   t h i s" is "ignore this".
function joinSpelledOut(text: string): string {
  return text
    .replace(SPACED, (run) =>
      run
        .split(/ {2,}/)
        .map((word) => word.replaceAll(' ', ''))
        .join(' '),
    )
    .replace(DOTTED, (run) => run.replace(/[._·-]/g, ''))
}

// Digits that stand for letters, in words that have both.
const DIGITS_AS_LETTERS = /\b(?=\w*[013457@$])[a-z013457@$]{0,20}[a-z][013457@$]{1,3}[a-z013457@$]{1,20}\b/i
const WORD_WITH_DIGITS =
  /(?<![\w/.:-])(?=[a-z013457]{0,24}[013457])(?=[a-z013457]{0,24}[a-z])[a-z013457]{3,24}(?![\w/:-])/gi
const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

function readDigits(text: string): string {
  return text.replace(WORD_WITH_DIGITS, (word) => word.replace(/\d/g, (digit) => LETTERS[digit] ?? digit))
}

// Common words as they look in the cipher: the, and, your, all, this, with, send, key, ignore, curl, bash.
const ROT13_WORDS =
  /\brot-?\s?13\b|\bcipher|\bcaesar\b|\b(?:gur|naq|lbhe|nyy|guvf|jvgu|fraq|xrl|vtaber|phey|onfu|ernq|sebz|uggcf)\b/i
const REVERSED_WORDS =
  /\b(?:backwards?|reversed?|right to left)\b|\b(?:eht|dna|ruoy|lla|siht|htiw|dnes|yek|erongi|lruc|hsab|daer|morf|sptth)\b/i

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

const reversed = (line: string) => Array.from(line).reverse().join('')
