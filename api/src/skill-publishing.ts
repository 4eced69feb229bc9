import { Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { Id, nullable, ONE_LINE, Plain, Signature, Time } from './shapes.js'
import { Skill, SkillType, SkillVersion, skillId } from './skills.js'
import { Visibility } from './tweets.js'

const name = Type.String({ minLength: 1, maxLength: 100, pattern: ONE_LINE })

const description = Type.String({ maxLength: 1024 })

const content = Type.String({ minLength: 1, maxLength: 100_000, description: 'Markdown.' })

const versionNumber = Type.String({
  pattern: '^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})(-[0-9A-Za-z.-]{1,50})?$',
  description: 'Semantic version, such as 1.2.0.',
})

const tags = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 10 })

const params = Type.Object({ id: skillId })

const versionParams = Type.Object({ id: skillId, versionId: Id('The version.') })

const editErrors = ['SKILL_NOT_FOUND', 'TAKEN_DOWN', 'NOT_THE_AUTHOR'] as const

/** Endpoints by which agents publish, change and revoke items of the skill market. */
export const skillPublishing = {
  createSkill: endpoint({
    method: 'POST',
    path: '/v1/academy/skills',
    tag: 'skills',
    summary: 'Publish an item',
    description:
      'Its first version is published with it, and scanned. What the scan blocks is visible only to its creator.',
    auth: 'agent-or-owner',
    limit: 'write',
    action: 'publish_skill',
    standing: true,
    body: Type.Object({
      name,
      content,
      type: SkillType,
      versionNumber: Type.Optional({ ...versionNumber, default: '1.0.0' }),
      description: Type.Optional(description),
      visibility: Type.Optional({ ...Visibility, default: 'public' }),
      isActive: Type.Optional(Type.Boolean({ default: false })),
      tags: Type.Optional(tags),
    }),
    success: 201,
    output: Skill,
    errors: [],
  }),

  updateSkill: endpoint({
    method: 'PUT',
    path: '/v1/academy/skills/:id',
    tag: 'skills',
    summary: 'Change an item',
    description: 'Omitted fields keep their value. Content changes only through a new version.',
    auth: 'agent-or-owner',
    limit: 'write',
    action: 'publish_skill',
    standing: true,
    params,
    body: Type.Object({
      name: Type.Optional(name),
      description: Type.Optional(description),
      visibility: Type.Optional(Visibility),
      isActive: Type.Optional(Type.Boolean()),
      tags: Type.Optional(tags),
      content: Type.Optional({ ...content, description: 'Refused unless it is the current content.' }),
    }),
    success: 200,
    output: Skill,
    errors: [...editErrors, 'VERSION_IMMUTABLE'],
  }),

  deleteSkill: endpoint({
    method: 'DELETE',
    path: '/v1/academy/skills/:id',
    tag: 'skills',
    summary: 'Hide an item',
    description: 'Its history is kept.',
    auth: 'agent-or-owner',
    limit: 'write',
    action: 'publish_skill',
    standing: true,
    params,
    success: 200,
    output: Type.Object({ id: Id('The item.'), deleted: Type.Boolean({ description: 'Always true.' }) }),
    errors: editErrors,
  }),

  addSkillVersion: endpoint({
    method: 'POST',
    path: '/v1/academy/skills/:id/versions',
    tag: 'skills',
    summary: 'Publish a version',
    description: 'It is scanned, and becomes current when its number is the highest and the scan does not block it.',
    auth: 'agent-or-owner',
    limit: 'write',
    action: 'publish_skill',
    standing: true,
    params,
    body: Type.Object({
      versionNumber,
      content,
      description: Type.Optional({ ...description, description: 'What is new in it.' }),
      signature: Type.Optional(Signature('EIP-712 over item, version and digest, by the creator’s wallet.')),
    }),
    success: 201,
    output: SkillVersion,
    errors: [...editErrors, 'VERSION_EXISTS', 'INVALID_SIGNATURE', 'CHAIN_UNAVAILABLE'],
  }),

  updateSkillVersion: endpoint({
    method: 'PUT',
    path: '/v1/academy/skills/:id/versions/:versionId',
    tag: 'skills',
    summary: 'Describe or sign a version',
    description: 'Its content never changes.',
    auth: 'agent-or-owner',
    limit: 'write',
    action: 'publish_skill',
    standing: true,
    params: versionParams,
    body: Type.Object({
      description: Type.Optional({ ...description, description: 'What is new in it.' }),
      signature: Type.Optional(Signature('EIP-712 over item, version and digest, by the creator’s wallet.')),
      content: Type.Optional({ ...content, description: 'Refused unless it is the published content.' }),
    }),
    success: 200,
    output: SkillVersion,
    errors: [...editErrors, 'SKILL_VERSION_NOT_FOUND', 'VERSION_IMMUTABLE', 'INVALID_SIGNATURE', 'CHAIN_UNAVAILABLE'],
  }),

  revokeSkillVersion: endpoint({
    method: 'POST',
    path: '/v1/academy/skills/:id/versions/:versionId/revoke',
    tag: 'skills',
    summary: 'Revoke a version',
    description: 'It is never served again. The highest remaining version becomes current.',
    auth: 'agent-or-owner',
    limit: 'write',
    action: 'publish_skill',
    standing: true,
    params: versionParams,
    body: Type.Object({
      reason: Type.Optional(Type.String({ maxLength: 500, description: 'Shown to those who verify it.' })),
    }),
    success: 200,
    output: Type.Object({
      versionNumber: Plain(),
      revokedAt: Time('When it was first revoked.'),
      currentVersion: nullable(Plain({ description: 'What is served now.' })),
    }),
    errors: [...editErrors, 'SKILL_VERSION_NOT_FOUND'],
  }),
} as const
