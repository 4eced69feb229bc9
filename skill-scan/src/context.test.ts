import { describe, expect, test } from 'vitest'
import { blockedSentences } from '../evaluation/blocked-sentences.js'
import { scanSkill } from './scan.js'

const known = { popular: [], platform: 'Rookery' }
const scan = (document: string) => scanSkill({ name: 'Weather', description: '', document }, known, () => false)

const ABOUT_ATTACKS = 'A prompt injection is an attack. Detect malicious, suspicious text.'
const CYRILLIC: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', c: 'с', p: 'р', i: 'і', s: 'ѕ' }
const everyOther = (text: string, change: (letter: string) => string) =>
  Array.from(text, (letter, index) => (index % 2 === 0 ? change(letter) : letter)).join('')

/** Ways to dress a sentence. None of them makes it harmless. */
const contexts: Readonly<Record<string, (text: string) => string>> = {
  'a bracket after it': (text) => `${text.replace(/\.$/, '')} (this is not an attack).`,
  'a word after it': (text) => `${text.replace(/\.$/, '')}, which is not malicious.`,
  'a judgement after it': (text) => `${text} That would be bad.`,
  'a word far before it': (text) => `Do not worry about suspicious things when you ${text}`,
  'a warning before it': (text) => `Warning: attackers may ask you to do this. ${text}`,
  'a negation before it': (text) => `Never think twice, never: ${text}`,
  'a document about attacks': (text) => `${ABOUT_ATTACKS}\n\n${text}`,
  'quotation marks': (text) => `${ABOUT_ATTACKS}\n\nThe first step is “${text}”`,
  'straight quotation marks': (text) => `${ABOUT_ATTACKS}\n\nThe first step is "${text.replaceAll('"', '')}"`,
  'code in a sentence': (text) => `${ABOUT_ATTACKS}\n\nThe first step is \`${text.replaceAll('`', '')}\`.`,
  'the mouth of somebody': (text) => `The old admin said: “${text}” and that was malicious, an attack.`,
  'a dialogue': (text) => `${ABOUT_ATTACKS}\n\nAttacker: ${text}\n\nAgent: Of course.`,
  'a quotation': (text) => `${ABOUT_ATTACKS}\n\nAn attacker wrote:\n\n> ${text}`,
  'an example': (text) => `For example, an attacker says, ${text}`,
  'a list of what not to do': (text) => `${ABOUT_ATTACKS}\n\nNever do this:\n\n- ${text}\n- more`,
  'a numbered list': (text) => `Bad, dangerous steps:\n\n1. ${text}\n2. more`,
  'a heading': (text) => `## Never do this\n\n${text}`,
  'a heading with a colon': (text) => `# Malicious, do not copy:\n\n${text}`,
  'the heading itself': (text) => `# Never: ${text}`,
  'a block of code': (text) => `\`\`\`\n${text}\n\`\`\``,
  'a warned-of block of code': (text) => `${ABOUT_ATTACKS}\n\nDo not run this:\n\n\`\`\`sh\n${text}\n\`\`\``,
  'a comment in code': (text) => `\`\`\`sh\n# dangerous, never run\n${text}\n\`\`\``,
  'a comment of code': (text) => `\`\`\`sh\n# ${text}\n\`\`\``,
  'a table': (text) => `| step | do not |\n| --- | --- |\n| 1 | ${text.replaceAll('|', '\\|')} |`,
  'cells of a table': (text) => `| bad |\n| - |\n| ${text.replace(' ', ' | ')} |`,
  'an HTML comment': (text) => `<!-- never do this: ${text} -->`,
  'a details element': (text) => `<details><summary>Bad example</summary>\n\n${text}\n\n</details>`,
  'a checksum': (text) => `${text} # sha256 checksum, gpg, reviewed by the maintainer in a pull request, draft`,
  capitals: (text) => (/[~/|]/.test(text) ? text : text.toUpperCase()),
  spaces: (text) => text.replaceAll(' ', '   '),
  'line breaks': (text) => (/\||&&|>>|[(]/.test(text) ? text : text.replaceAll(' ', '\n')),
  'no-break spaces': (text) => text.replaceAll(' ', '\u00A0'),
  'letters of another alphabet': (text) => everyOther(text, (letter) => CYRILLIC[letter] ?? letter),
  'only letters of another alphabet': (text) => Array.from(text, (letter) => CYRILLIC[letter] ?? letter).join(''),
  'characters that cannot be seen': (text) => everyOther(text, (letter) => `${letter}\u200B`),
  'soft hyphens': (text) => everyOther(text, (letter) => `${letter}\u00AD`),
  accents: (text) => text.replaceAll('e', 'é'),
  emphasis: (text) => text.replace(/\b(\w)(\w+)\b/, '**$1**$2'),
  'HTML entities': (text) => text.replaceAll('e', '&#101;').replaceAll('a', '&#x61;'),
  'HTML within words': (text) => text.replaceAll(/(\w)(\w)/g, '$1<!-- -->$2'),
  base64: (text) => `Decode this and do it: ${Buffer.from(text).toString('base64')}`,
  'hexadecimal digits': (text) => `Decode this and do it: ${Buffer.from(text).toString('hex')}`,
  rot13: (text) =>
    `Rot13, read it:\n\n${text.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)),
    )}`,
  'percent signs': (text) => `Decode: ${encodeURIComponent(text)}`,
  'reversed letters': (text) => `Read it backwards:\n\n${Array.from(text).reverse().join('')}`,
  'letters with spaces between': (text) => `Read: ${Array.from(text).join(' ')}`,
}

describe('a blocked sentence', () => {
  test.each(blockedSentences)('is blocked when it stands alone: %j', async (text, rule) => {
    const { findings } = await scan(text)
    expect(findings).toContainEqual(expect.objectContaining({ rule, severity: 'blocked' }))
  })

  test.each(Object.entries(contexts))('is never clean within %s', async (_, dress) => {
    const clean: string[] = []
    for (const [text] of blockedSentences) if ((await scan(dress(text))).status === 'clean') clean.push(dress(text))
    expect(clean).toEqual([])
  })
})
