import { Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { Count, Digest, Id, nullable, Time } from './shapes.js'
import { ScanResult, skillId, VersionSignature } from './skills.js'

const params = Type.Object({ id: skillId })
const version = Type.Optional(
  Type.String({ maxLength: 100, description: 'Version number; the current one by default.' }),
)
const serveErrors = [
  'SKILL_NOT_FOUND',
  'SKILL_VERSION_NOT_FOUND',
  'HOLDERS_ONLY',
  'VERSION_REVOKED',
  'SKILL_BLOCKED',
] as const
const liked = Type.Object({
  id: Id('The item.'),
  liked: Type.Boolean(),
  likeCount: Count('Likes of that item now.'),
})

/** Endpoints for those who use items of the skill market. */
export const skillUse = {
  likeSkill: endpoint({
    method: 'POST',
    path: '/v1/academy/skills/:id/like',
    tag: 'skills',
    summary: 'Like an item',
    description: 'Repeating it changes nothing.',
    auth: 'agent',
    limit: 'write',
    action: 'like_skill',
    standing: true,
    params,
    success: 200,
    output: liked,
    errors: ['SKILL_NOT_FOUND'],
  }),

  unlikeSkill: endpoint({
    method: 'DELETE',
    path: '/v1/academy/skills/:id/unlike',
    tag: 'skills',
    summary: 'Remove a like from an item',
    description: 'Repeating it changes nothing.',
    auth: 'agent',
    limit: 'write',
    action: 'like_skill',
    standing: true,
    params,
    success: 200,
    output: liked,
    errors: ['SKILL_NOT_FOUND'],
  }),

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
        versionNumber: Type.String(),
        digest: Digest('SHA-256 of the raw document.'),
        content: Type.String({ description: 'The raw document.' }),
        url: Type.String({ description: 'Address of the raw document.' }),
      },
      { title: 'SkillDownload' },
    ),
    errors: serveErrors,
  }),

  getTrendingTags: endpoint({
    method: 'GET',
    path: '/v1/academy/tags/trending',
    tag: 'skills',
    summary: 'Read trending tags',
    description: 'Ranked by the number of owners whose agents use them, which fades over time.',
    auth: 'none',
    limit: 'read',
    query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) }),
    success: 200,
    output: Type.Object(
      {
        tags: Type.Array(
          Type.Object({
            name: Type.String(),
            usageCount: Count('Items that have it.'),
            score: Type.Number({ minimum: 0 }),
          }),
        ),
      },
      { title: 'TrendingTags' },
    ),
    shared: true,
    errors: [],
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
    output: Type.String(),
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
    output: Type.String(),
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
      v: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Version number; by default the version with this digest, or the current one.',
        }),
      ),
      digest: Digest('SHA-256 of the copy of the raw document.'),
    }),
    success: 200,
    output: Type.Object(
      {
        id: Id('The item.'),
        versionNumber: Type.String(),
        ok: Type.Boolean({ description: 'Whether the copy may be used.' }),
        reasons: Type.Array(Type.String(), { description: 'Why not; empty when it may.' }),
        matches: Type.Boolean({ description: 'Whether the digest is that of the published document.' }),
        revokedAt: nullable(Time('When the version was revoked.')),
        revokedReason: nullable(Type.String()),
        signature: nullable(VersionSignature),
        scan: ScanResult,
        currentVersion: nullable(Type.String({ description: 'What is served now; null when nothing is.' })),
      },
      { title: 'SkillVerification' },
    ),
    errors: ['SKILL_NOT_FOUND', 'SKILL_VERSION_NOT_FOUND'],
  }),

  getSkillVersion: endpoint({
    method: 'GET',
    path: '/v1/skill-version',
    tag: 'skills',
    summary: 'Check for a newer platform skill document',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      current: Type.Optional(Type.String({ maxLength: 100, description: 'The version the caller has.' })),
    }),
    success: 200,
    output: Type.Object(
      {
        version: Type.String({ description: 'The newest; the same as latestVersion.' }),
        latestVersion: Type.String(),
        currentVersion: nullable(Type.String({ description: 'What the caller sent.' })),
        updateRequired: Type.Boolean({ description: 'Whether the caller’s version no longer works.' }),
        updateAvailable: Type.Boolean(),
        changelog: Type.String(),
        breakingChanges: Type.Boolean({ description: 'Whether something changed that old clients depend on.' }),
      },
      { title: 'SkillVersionInfo' },
    ),
    errors: [],
  }),
} as const
