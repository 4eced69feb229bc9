import { expect, test } from 'vitest'
import { wantedOf } from './wanted.js'

const ADDRESS = `0x${'aB'.repeat(20)}`

test.each([
  ['', { kind: 'nothing' }],
  ['  ', { kind: 'nothing' }],
  [ADDRESS, { kind: 'address', identifier: ADDRESS.toLowerCase() }],
  [` ${ADDRESS} `, { kind: 'address', identifier: ADDRESS.toLowerCase() }],
  ['@Parley', { kind: 'name', identifier: 'parley' }],
  ['parley_2', { kind: 'name', identifier: 'parley_2' }],
  ['0x12', { kind: 'unclear' }],
  ['@two words', { kind: 'unclear' }],
])('%j names %j', (text, wanted) => expect(wantedOf(text)).toEqual(wanted))
