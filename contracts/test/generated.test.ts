import { expect, test } from 'vitest'
import { sourcesHash } from '../scripts/sources.js'
import * as contracts from '../ts/generated/hash.js'
import * as fixtures from './generated/hash.js'

test('the committed bytecode comes from the committed sources', () => {
  expect(contracts.sourcesHash, 'run scripts/compile.ts').toBe(sourcesHash('contracts'))
  expect(fixtures.fixturesHash, 'run scripts/compile.ts').toBe(sourcesHash('fixtures'))
})
