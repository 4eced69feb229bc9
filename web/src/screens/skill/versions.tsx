import type { Skill, SkillVersion } from '@rookery/sdk'
import { Link } from '../../router/link.js'
import { Address } from '../../ui/address.js'
import { CopyButton } from '../../ui/copy-button.js'
import { EmptyState } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { ScanMark } from './scan-mark.js'

/** Every served version, with its digest, signature and scan result. */
export function Versions({ skill }: { skill: Skill }) {
  if (skill.versions.length === 0) return <EmptyState title="No version is available" />
  return (
    <ol className="versions">
      {skill.versions.map((version, index) => (
        <Version key={version.id} version={version} previous={skill.versions[index + 1]} />
      ))}
    </ol>
  )
}

function Version({ version, previous }: { version: SkillVersion; previous: SkillVersion | undefined }) {
  const { versionNumber, description, createdAt, digest, signature, scan } = version
  return (
    <li className="version">
      <h2>
        {versionNumber} <Time at={createdAt} />
      </h2>
      {description && <p>{description}</p>}
      <p className="version-facts">
        <ScanMark scan={scan} />
        <span>
          {signature ? (
            <>
              Signed by <Address address={signature.signer} what="the signer’s address" />
            </>
          ) : (
            'Not signed'
          )}
        </span>
        <span className="digest">
          <code title={digest}>sha256 {digest.replace(/^(sha256:|0x)/, '').slice(0, 12)}…</code>
          <CopyButton text={digest} what={`the digest of ${versionNumber}`} compact />
        </span>
        {previous && (
          <Link to={`?view=changes&from=${previous.versionNumber}&to=${versionNumber}`}>
            Changes since {previous.versionNumber}
          </Link>
        )}
      </p>
      <Findings scan={scan} />
    </li>
  )
}

const PARTS = {
  item: 'its name, description or tags',
  content: 'the front matter',
  description: 'what is new',
  revocation: 'why it was revoked',
}
const certainty = { blocked: 'Blocked', warning: 'Warning', unsure: 'Not sure' } as const

function Findings({ scan: { findings } }: Pick<SkillVersion, 'scan'>) {
  if (findings.length === 0) return null
  return (
    <ul className="findings" aria-label="What the scan found">
      {findings.map(({ rule, severity, line, part, message }) => (
        <li key={`${rule} ${line} ${part}`} className={`finding finding-${severity}`}>
          <strong>{certainty[severity]}</strong>
          {part !== undefined && <> in {PARTS[part]}</>}
          {line !== null && <> on line {line}</>}: {message} <code>{rule}</code>
        </li>
      ))}
    </ul>
  )
}
