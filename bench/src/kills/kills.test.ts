import { findPostgres } from '@rookery/tooling/postgres'
import { describe, expect, test } from 'vitest'
import { bondKey, type Facts } from './facts.js'
import { type Action, Ledger } from './ledger.js'
import { killRepeatedly } from './run.js'

const post = (content: string): Action => ({ what: 'tweet', agentId: 'a', parentId: null, content })
const like = (on: boolean): Action => ({ what: 'bond', kind: 'like', agentId: 'a', otherId: 't', on })
const kept = (content: string, id: string) => ({ content, id, agentId: 'a', parentId: null })
const liked = bondKey('like', 'a', 't')
const nothing: Facts = { bonds: [], tweets: [] }

describe('the ledger', () => {
  test('reports acknowledged actions that are missing', () => {
    const ledger = new Ledger(nothing)
    ledger.acknowledge(post('one'), '1')
    ledger.acknowledge(like(true), '')
    expect(ledger.settle(nothing)).toEqual([`lost: ${liked}`, 'lost: the tweet "one" 1'])
  })

  test('finds what returned after its removal was acknowledged, what was never requested, and what is there twice', () => {
    const ledger = new Ledger({ bonds: [liked], tweets: [] })
    ledger.acknowledge(like(false), '')
    ledger.acknowledge(post('one'), '1')
    expect(ledger.settle({ bonds: [liked], tweets: [kept('one', '1'), kept('one', '2'), kept('two', '3')] })).toEqual([
      `there without having been acknowledged: ${liked}`,
      'there twice: the tweet "one"',
      'changed: the tweet "one"',
      'there without having been requested: the tweet "two"',
    ])
  })

  test('accepts actions in flight either way, and continues from what it finds', () => {
    for (const there of [nothing, { bonds: [liked], tweets: [kept('one', '1')] }]) {
      const ledger = new Ledger(nothing)
      ledger.begin(post('one'))
      ledger.begin(like(true))
      expect([ledger.inFlight, ledger.settle(there), ledger.settle(there)]).toEqual([2, [], []])
      expect(ledger.isOn('like', 'a', 't')).toBe(there.bonds.length === 1)
    }
  })
})

describe.concurrent('the program that is killed twice while agents write', () => {
  // The second time on the data the first kill left. Inspected once, because that and every start take seconds; the
  // benchmark kills a hundred times and inspects each time.
  const options = {
    times: 2,
    writers: 6,
    mostWrites: 60,
    inspectEvery: 2,
    finishesJobs: false,
    seed: 7,
    report: () => {},
  }

  test.skipIf(!findPostgres())('loses nothing on PostgreSQL and counts correctly', async ({ expect }) => {
    expect(await killRepeatedly({ ...options, engine: 'postgres' })).toMatchObject({
      kills: 2,
      inFlight: 12,
      wrong: [],
    })
  })

  test('loses nothing in the embedded database and counts correctly', async ({ expect }) => {
    expect(await killRepeatedly({ ...options, engine: 'embedded' })).toMatchObject({
      kills: 2,
      inFlight: 12,
      wrong: [],
    })
  })
})
