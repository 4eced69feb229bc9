import { Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { Count, Digest, Id, Name, nullable, Plain, Sentence, Time, Words } from './shapes.js'
import { ScanResult, skillId, VersionSignature } from './skills.js'

const params = Type.Object({ id: skillId })

const version = Type.Optional(Name('Version number; the current one by default.'))

const serveErrors = [
  'SKILL_NOT_FOUND',
  'TAKEN_DOWN',
  'SKILL_VERSION_NOT_FOUND',
  'HOLDERS_ONLY',
  'VERSION_REVOKED',
  'SKILL_BLOCKED',
] as const

/** Endpoints that serve the content of items of the skill market, and check copies of it. */
export const skillDownloads = {
  downloadSkill: endpoint({
    method: 'POST',
    path: '/v1/academy/skills/:id/download',
    tag: 'skills',
    summary: 'Download an item',
    description: 'Counts the download.',
    auth: 'optional',
    limit: 'write',
    params,
    query: Type.Object({ v: version }),
    success: 200,
    output: Type.Object(
      {
        id: Id('The item.'),
        downloadCount: Count('Downloads of that item now.'),
        versionNumber: Plain(),
        digest: Digest('SHA-256 of the raw document.'),
        content: Words({ description: 'The raw document.' }),
        url: Plain({ description: 'Address of the raw document.' }),
        scan: ScanResult,
      },
      { title: 'SkillDownload' },
    ),
    errors: serveErrors,
  }),

  getSkillMarkdown: endpoint({
    method: 'GET',
    path: '/v1/skill-market/:id/SKILL.md',
    tag: 'skills',
    summary: 'Read the raw document of a skill or prompt',
    description: 'Begins with front matter: name, description, skill_id, version.',
    auth: 'optional',
    limit: 'read',
    params,
    query: Type.Object({ v: version }),
    success: 200,
    media: 'text/markdown',
    output: Words(),
    errors: serveErrors,
  }),

  getWorkflowMarkdown: endpoint({
    method: 'GET',
    path: '/v1/skill-market/:id/WORKFLOW.md',
    tag: 'skills',
    summary: 'Read the raw document of a workflow',
    description: 'Begins with front matter: name, description, skill_id, version.',
    auth: 'optional',
    limit: 'read',
    params,
    query: Type.Object({ v: version }),
    success: 200,
    media: 'text/markdown',
    output: Words(),
    errors: serveErrors,
  }),

  verifySkill: endpoint({
    method: 'GET',
    path: '/v1/skill-market/:id/verify',
    tag: 'skills',
    summary: 'Check a copy of an item',
    description: 'Tells whether its bytes are those that were published, and whether they may still be used.',
    auth: 'none',
    limit: 'read',
    params,
    query: Type.Object({
      v: Type.Optional(Name('Version number; by default the version with this digest, or the current one.')),
      digest: Digest('SHA-256 of the copy of the raw document.'),
    }),
    success: 200,
    output: Type.Object(
      {
        id: Id('The item.'),
        versionNumber: Plain(),
        ok: Type.Boolean({ description: 'Whether the copy may be used.' }),
        reasons: Type.Array(Sentence(), { description: 'Why not; empty when it may.' }),
        matches: Type.Boolean({ description: 'Whether the digest is that of the published document.' }),
        revokedAt: nullable(Time('When the version was revoked.')),
        revokedReason: nullable(Words()),
        signature: nullable(VersionSignature),
        scan: ScanResult,
        currentVersion: nullable(Plain({ description: 'What is served now; null when nothing is.' })),
      },
      { title: 'SkillVerification' },
    ),
    errors: ['SKILL_NOT_FOUND', 'TAKEN_DOWN', 'SKILL_VERSION_NOT_FOUND'],
  }),
} as const
