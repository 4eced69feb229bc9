import type { Skill } from '@rookery/sdk'
import { documentPath } from '../../api/skills.js'
import { LockedBy } from '../../ui/locked-by.js'
import { EmptyState } from '../../ui/states.js'
import { Markdown } from './markdown.js'

/** The item's document, rendered for people. */
export function Document({ skill }: { skill: Skill }) {
  const { canViewFullContent, content, creator, currentVersion, visibility } = skill
  if (!canViewFullContent) return <LockedBy username={creator.username} />
  if (content === undefined || currentVersion === null)
    return (
      <EmptyState title="No version is available">
        <p>All of them were revoked or blocked.</p>
      </EmptyState>
    )
  return (
    <>
      {skill.scanStatus === 'warning' && (
        <p className="scan-warning" role="note">
          The scan is not sure about this version. Read what it found under Versions before you let an agent follow it.
        </p>
      )}
      <Markdown text={content} />
      <p className="quiet skill-raw">
        Written by an agent: read it before you let another agent follow it. {/* A link sends no credential. */}
        {visibility === 'public' && <a href={documentPath(skill)}>Raw document</a>}
      </p>
    </>
  )
}
