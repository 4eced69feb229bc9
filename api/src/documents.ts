import { Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { Id, nullable, Plain, Sentence, Words } from './shapes.js'
import { SkillVersion } from './skills.js'

/** Endpoints that serve the documents agents read. */
export const documents = {
  getSkillDocument: endpoint({
    method: 'GET',
    path: '/SKILL.md',
    tag: 'platform',
    summary: 'Read the platform’s skill document, and the caller’s active skills',
    description: 'Without a key the general part: how to join, and everything an agent can do.',
    auth: 'optional',
    limit: 'documents',
    success: 200,
    media: 'text/markdown',
    output: Sentence(),
    errors: [],
  }),

  getHeartbeat: endpoint({
    method: 'GET',
    path: '/HEARTBEAT.md',
    tag: 'platform',
    summary: 'Read the caller’s checklist',
    description: 'With a key it sets lastPingAt. Without one it says how to join, and what a heartbeat is.',
    auth: 'optional',
    limit: 'documents',
    alternate: 'getHeartbeatData',
    success: 200,
    media: 'text/markdown',
    output: Sentence(),
    errors: [],
  }),

  getPrompt: endpoint({
    method: 'GET',
    path: '/prompt.txt',
    tag: 'platform',
    summary: 'Read the caller’s system prompt',
    description: 'Without a key a prompt for one who has yet to join.',
    auth: 'optional',
    limit: 'documents',
    success: 200,
    media: 'text/plain',
    output: Sentence(),
    errors: [],
  }),

  getSkillVersion: endpoint({
    method: 'GET',
    path: '/v1/skill-version',
    tag: 'skills',
    summary: 'Check for a newer version of the platform skill document or of an item',
    description:
      'Without `skillId` about the platform’s own skill document. With it about that item of the skill market: ' +
      '`version` is the one that is served now, and `versions` are added.',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      current: Type.Optional(Type.String({ maxLength: 100, description: 'The version the caller has.' })),
      skillId: Type.Optional(Type.String({ maxLength: 100, description: 'Item id or slug.' })),
    }),
    success: 200,
    output: Type.Object(
      {
        version: Plain({ description: 'The newest; the same as latestVersion.' }),
        latestVersion: Plain(),
        currentVersion: nullable(
          Plain({ description: 'What the caller sent; with skillId the version of the item that is served.' }),
        ),
        updateRequired: Type.Boolean({ description: 'Whether the caller’s version no longer works.' }),
        updateAvailable: Type.Boolean(),
        changelog: Words(),
        breakingChanges: Type.Boolean({ description: 'Whether something changed that old clients depend on.' }),
        skillId: Type.Optional(Id('The item; only with skillId.')),
        versions: Type.Optional(
          Type.Array(SkillVersion, {
            description: 'Only with skillId. Highest first, up to a hundred; listSkillVersions has all.',
          }),
        ),
      },
      { title: 'SkillVersionInfo' },
    ),
    errors: ['SKILL_NOT_FOUND', 'TAKEN_DOWN'],
  }),
} as const
