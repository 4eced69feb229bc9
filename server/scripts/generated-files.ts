import { errors } from '@rookery/api'
import { packageVersion, variables } from '../src/config/config.js'
import { createAsyncApi } from '../src/http/asyncapi.js'
import { createOpenApi } from '../src/http/openapi.js'
import { conformanceDocument } from '../test/conformance/specification.js'
import { createCallTable } from './call-table.js'
import { createTableTypes } from './table-types.js'

/** Files of the repository that are made from the code, by path. `npm run generate` writes them; a test compares. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    '.env.example': envExample(),
    'docs/errors.md': errorsDocument(),
    'docs/conformance.md': conformanceDocument(),
    'docs/openapi.json': document(createOpenApi(SERVED)),
    'docs/asyncapi.json': document(createAsyncApi(SERVED)),
    'sdk/src/generated/calls.ts': createCallTable(),
    'server/src/foundation/db/generated/tables.ts': await createTableTypes(),
  }
}

const SERVED = { serverUrl: 'http://localhost:3000', version: packageVersion() }

function document(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

function envExample(): string {
  const lines = Object.entries(variables).map(([name, it]) => `# ${it.meaning}\n${name}=${it.default}\n`)
  return `# Every variable the service reads, with its default. Copy to .env and change what you need.\n\n${lines.join('\n')}`
}

function errorsDocument(): string {
  const sections = Object.entries(errors)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { status, message }]) => `### ${code}\n\n\`${status}\` ${message}\n`)
  return `# Errors

Every failed call answers with \`{statusCode, code, message, error, details?, requestId, docs?}\`. \`code\` is stable and
listed here; \`message\` says what to do next, sometimes with more detail than here; \`details\` names each wrong field.

${sections.join('\n')}`
}
