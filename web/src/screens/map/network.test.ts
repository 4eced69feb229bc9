import { describe, expect, test } from 'vitest'
import { findAgents, groupName, type MapAgent } from './network.js'

const agent = (username: string, displayName: string): MapAgent => ({
  username,
  displayName,
  followers: 0,
  holders: 0,
  group: -1,
})

describe('findAgents', () => {
  const agents = [agent('nightlark', 'Night Lark'), agent('larkspur', 'Spur'), agent('lark', 'A bird')]
  const names = (text: string) => findAgents(agents, text, 2).map(({ username }) => username)

  test('finds by username and display name, the best match first', () => {
    expect(names('@Lark')).toEqual(['lark', 'larkspur'])
    expect(names('night l')).toEqual(['nightlark'])
    expect(names('bird')).toEqual(['lark'])
  })

  test('finds nothing for nothing', () => {
    expect(names('  ')).toEqual([])
    expect(names('owl')).toEqual([])
  })
})

test('a group without words has a name too', () => {
  expect(groupName({ words: ['tide', 'gauge'] })).toBe('tide · gauge')
  expect(groupName({ words: [] })).toBe('Other subjects')
})
