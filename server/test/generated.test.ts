import { readFile } from 'node:fs/promises'
import { type ErrorCode, endpointList, errors } from '@rookery/api'
import { describe, expect, test } from 'vitest'
import { generatedFiles } from '../scripts/generated-files.js'
import { commonErrors } from '../src/http/declared-errors.js'
import { sourceFiles } from './source-files.js'

const root = new URL('../../', import.meta.url)

const files = await generatedFiles()

describe('generated files', () => {
  test.each(Object.entries(files))('%s is up to date (npm run generate)', async (path, content) => {
    expect(await readFile(new URL(path, root), 'utf8')).toBe(content)
  })
})

describe('the table of errors', () => {
  const answered = new Set<ErrorCode>(
    endpointList.flatMap(
      ({ endpoint }) => [...endpoint.errors, ...commonErrors(endpoint), 'NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const,
    ),
  )

  test('has a producer for every code that an endpoint can answer with', async () => {
    const code = (await sourceFiles('server/src')).map((file) => file.text).join('\n')
    expect([...answered].filter((name) => !code.includes(`'${name}'`))).toEqual([])
  })

  test('says what to do in a full sentence', () => {
    for (const [code, { message }] of Object.entries(errors)) expect(message, code).toMatch(/^[A-Z].+\.$/)
  })
})
