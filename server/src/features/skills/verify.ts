import type { Endpoints, Output } from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import { getAnySkill, getClaimedVersion } from './queries.js'
import type { Finding } from './served-texts.js'
import { scanView, signatureView } from './view.js'

export type Verification = Output<Endpoints['verifySkill']>

/** Checks whether a copy equals the published version and may still be used. Works for hidden items too. */
export async function verifySkill(
  db: Db,
  { id, v, digest }: { id: string; v?: string; digest: string },
): Promise<Verification> {
  const skill = await getAnySkill(db, undefined, id)
  const version = await getClaimedVersion(db, skill.id, { digest, ...(v !== undefined && { v }) })
  const matches = version.digest === digest
  const reasons = [
    ...(matches ? [] : [`These bytes are not those of version ${version.number}.`]),
    ...(version.revoked_at === null ? [] : [`Version ${version.number} was revoked by its creator.`]),
    ...(version.scan_status === 'blocked' ? [`The scan found something harmful in version ${version.number}.`] : []),
    ...(skill.deleted_at === null ? [] : ['The creator has withdrawn this item.']),
    ...(skill.withheld === null ? [] : ['A moderator has taken this item down.']),
  ]
  return {
    id: skill.id,
    versionNumber: version.number,
    ok: reasons.length === 0,
    reasons,
    matches,
    revokedAt: version.revoked_at?.toISOString() ?? null,
    revokedReason: isReasonBlocked(version.findings) ? null : version.revoked_reason,
    signature: signatureView(version, skill.wallet_address),
    scan: scanView(version),
    currentVersion: skill.deleted_at === null && skill.withheld === null ? skill.current_number : null,
  }
}

const isReasonBlocked = (findings: readonly Finding[]) =>
  findings.some(({ part, severity }) => part === 'revocation' && severity === 'blocked')
