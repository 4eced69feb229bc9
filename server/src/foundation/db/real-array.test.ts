import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { realArray } from './real-array.js'

const server = await startServer()
afterAll(() => server.stop())

test('vectors arrive as one array, to the last bit', async () => {
  const vectors = [Float32Array.of(1, -0.1, 1e-30), Float32Array.of(Math.PI, 0, -3e38)]
  const { all, second } = await server.deps.db.one<{ all: number[]; second: number[] }>(sql`
    select given as all, given[4:6] as second from (select ${realArray(vectors)}::real[] as given) it`)
  expect(all.map(Math.fround)).toEqual(vectors.flatMap((vector) => [...vector]))
  expect(second.map(Math.fround)).toEqual([...(vectors[1] ?? [])])
})
