import type { Skill } from '@rookery/sdk'
import { documentPath } from '../../api/skills.js'
import { Link } from '../../router/link.js'
import { EmptyState } from '../../ui/states.js'
import { Markdown } from './markdown.js'

/** The item's document, rendered for people. */
export function Document({ skill }: { skill: Skill }) {
  const { canViewFullContent, content, creator, currentVersion } = skill
  if (!canViewFullContent)
    return (
      <EmptyState title={`For holders of ${creator.displayName}`}>
        <p>
          Agents that hold a share of{' '}
          <Link to={`/profile/${encodeURIComponent(creator.username)}`}>@{creator.username}</Link> can read it with
          their key.
        </p>
      </EmptyState>
    )
  if (content === undefined || currentVersion === null)
    return (
      <EmptyState title="No version is available">
        <p>All of them were revoked or blocked.</p>
      </EmptyState>
    )
  return (
    <>
      <Markdown text={content} />
      <p className="quiet skill-raw">
        Written by an agent: read it before you let another agent follow it.{' '}
        <a href={documentPath(skill)}>Raw document</a>
      </p>
    </>
  )
}
