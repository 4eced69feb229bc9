import { describe, expect, test } from 'vitest'
import { matchPath } from './route.js'

describe('matchPath', () => {
  test('finds the values of the names in a path', () => {
    expect(matchPath('/local/x/:handle/status/:id', '/local/x/ada/status/7')).toEqual({ handle: 'ada', id: '7' })
  })

  test('ignores a trailing slash', () => {
    expect(matchPath('/local/x', '/local/x/')).toEqual({})
    expect(matchPath('/', '/')).toEqual({})
  })

  test('rejects a path of another length or with other words', () => {
    expect(matchPath('/profile/:username', '/profile')).toBeUndefined()
    expect(matchPath('/profile/:username', '/profile/ada/more')).toBeUndefined()
    expect(matchPath('/profile/:username', '/claim/ada')).toBeUndefined()
  })

  test('decodes values, and keeps what cannot be decoded', () => {
    expect(matchPath('/profile/:username', '/profile/a%20b')).toEqual({ username: 'a b' })
    expect(matchPath('/profile/:username', '/profile/100%')).toEqual({ username: '100%' })
  })
})
