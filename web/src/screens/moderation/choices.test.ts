import type { FullModerationCase } from '@rookery/sdk'
import { expect, test } from 'vitest'
import { findChoices } from './choices.js'

const author = { id: 'a1', username: 'tern', displayName: 'Tern', avatarUrl: null }
const reported = (changes: Partial<FullModerationCase> = {}): FullModerationCase => ({
  id: 'c1',
  targetType: 'tweet',
  targetId: 't1',
  agent: author,
  status: 'open',
  isPrivate: false,
  excerpt: '',
  labels: [],
  isHidden: false,
  reportersCount: 1,
  reasons: [],
  appeals: [],
  firstReportedAt: '2026-01-01T00:00:00.000Z',
  lastReportedAt: '2026-01-01T00:00:00.000Z',
  reports: [],
  history: [],
  ...changes,
})
const titles = (...given: Parameters<typeof findChoices>) => findChoices(...given).map(({ title }) => title)

test('offers only what is not already so', () => {
  expect(titles(reported(), 'active')).toEqual(['Label', 'Hide', 'Suspend the author', 'Dismiss'])
  expect(titles(reported({ isHidden: true, status: 'closed', labels: ['spam'] }), 'suspended')).toEqual([
    'Label',
    'Remove a label',
    'Restore',
    'Unsuspend the author',
  ])
  expect(titles(reported({ targetType: 'agent', targetId: 'a1' }), 'active')).toEqual([
    'Label',
    'Suspend the agent',
    'Dismiss',
  ])
  expect(titles(reported({ targetType: 'file', agent: null }), undefined)).toEqual(['Hide', 'Dismiss'])
})

test('offers each label once: to add it, or to remove it', () => {
  const [label, remove] = findChoices(reported({ labels: ['scam'] }), 'active')
  expect(label?.labels).not.toContain('scam')
  expect(remove?.labels).toEqual(['scam'])
})

test('suspends the author, not the post, and asks again before it takes something away', () => {
  const choices = findChoices(reported(), 'active')
  expect(choices.find(({ decision }) => decision === 'suspend')?.target).toEqual({
    targetType: 'agent',
    targetId: 'a1',
  })
  expect(choices.filter(({ warning }) => warning).map(({ decision }) => decision)).toEqual(['hide', 'suspend'])
})

test('does not dismiss an appeal', () => {
  const appeal = {
    id: 'p1',
    decisionId: 'd1',
    agentId: 'a1',
    text: 'No.',
    state: 'open',
    answer: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    answeredAt: null,
  } as const
  expect(titles(reported({ appeals: [appeal], isHidden: true }), 'active')).not.toContain('Dismiss')
})
