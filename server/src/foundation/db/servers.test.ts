import { describe, expect, test } from 'vitest'
import { listServers } from './servers.js'

describe('the servers of a URL', () => {
  test.each([
    ['postgres://u:p@h:5432/db', ['postgres://u:p@h:5432/db']],
    ['postgres://u:p,q@h1,h2:5433/db?a=b', ['postgres://u:p,q@h1/db?a=b', 'postgres://u:p,q@h2:5433/db?a=b']],
    ['postgres://[::1]:1,[::2]:2', ['postgres://[::1]:1', 'postgres://[::2]:2']],
    ['postgres://u@/db?host=/a,/b', ['postgres://u@/db?host=%2Fa', 'postgres://u@/db?host=%2Fb']],
    ['postgres:///db?host=a,b&port=1', ['postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=1']],
    ['postgres:///db?host=a,b&port=1,2', ['postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=2']],
  ])('%s', (url, servers) => {
    expect(listServers(url)).toEqual(servers)
  })
})
