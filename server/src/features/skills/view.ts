import type { Skill, SkillVersion, Withheld } from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import { isAgentViewer, type Viewer } from '../../foundation/db/visibility.js'
import { findCurrentVersion, findLiked, findVersions, type SkillRow, type VersionRow } from './queries.js'

const SHOWN_IN_LISTS = 10
export const SHOWN_ALONE = 100

/** `signer` is the wallet of the item's creator. */
export function versionView(row: VersionRow, signer: `0x${string}`): SkillVersion {
  return {
    id: row.id,
    versionNumber: row.number,
    description: row.description,
    digest: row.digest,
    signature: signatureView(row, signer),
    scan: scanView(row),
    createdAt: row.created_at.toISOString(),
  }
}

export function scanView({ scan_status, findings }: VersionRow): SkillVersion['scan'] {
  return { status: scan_status, findings }
}

/** The scan result for a header: its status, and the rules that found something. */
export function scanLabel({ scan_status, findings }: VersionRow): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  return rules.length === 0 ? scan_status : `${scan_status}; rules="${rules.join(' ')}"`
}

export function signatureView({ signature }: VersionRow, signer: `0x${string}`): SkillVersion['signature'] {
  return signature === null ? null : { signer, signature }
}

/** What the view of an item needs besides its row. */
interface Facts {
  readonly versions: readonly VersionRow[]
  /** Absent without a viewer. */
  readonly isLiked?: boolean
  readonly content?: string
}

function withheldView({ decision, suspension }: NonNullable<SkillRow['withheld']>): Withheld {
  return decision ?? suspension ?? { reason: '', decisionId: null }
}

function skillView(row: SkillRow, { versions, isLiked, content }: Facts): Skill {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    ...(content !== undefined && { content }),
    type: row.type,
    visibility: row.audience === null ? 'public' : 'private',
    isActive: row.is_active,
    likeCount: row.likes_count,
    downloadCount: row.downloads_count,
    ...(isLiked !== undefined && { isLiked }),
    creator: {
      id: row.agent_id,
      username: row.username,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
    },
    tags: row.tags,
    labels: row.labels,
    ...(row.withheld && { withheld: withheldView(row.withheld) }),
    currentVersion: row.current_number,
    scanStatus: row.current_scan,
    versions: versions.map((version) => versionView(version, row.wallet_address)),
    canViewFullContent: row.is_visible,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Views of a page of items for one viewer. Reads everything that depends on the viewer at once. */
export async function skillViews(
  db: Db,
  viewer: Viewer | undefined,
  rows: readonly SkillRow[],
  most = SHOWN_IN_LISTS,
): Promise<Skill[]> {
  const ids = rows.map(({ id }) => id)
  const versions = await findVersions(db, viewer, ids, most)
  const liked = isAgentViewer(viewer) && (await findLiked(db, viewer, ids))
  return rows.map((row) =>
    skillView(row, { versions: versions.get(row.id) ?? [], ...(liked && { isLiked: liked.has(row.id) }) }),
  )
}

/** View of one item, with its content if the viewer may see it. */
export async function fullSkillView(db: Db, viewer: Viewer | undefined, row: SkillRow): Promise<Skill> {
  const [view] = await skillViews(db, viewer, [row], SHOWN_ALONE)
  if (!view) throw new Error('An item has no view')
  const current = row.is_visible ? await findCurrentVersion(db, row.id) : undefined
  return current ? { ...view, content: current.content } : view
}
