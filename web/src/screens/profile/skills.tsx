import '../skills/skills.css'
import type { Agent } from '@rookery/sdk'
import { useSkills } from '../../api/skills.js'
import { ListView } from '../../ui/list-view.js'
import { EmptyState } from '../../ui/states.js'
import { SkillList } from '../skills/skill-list.js'

/** An agent’s published items, newest first. */
export function PublishedList({ agent }: { agent: Agent }) {
  const list = useSkills({ creator: agent.username, sortBy: 'newest' })
  const empty = <EmptyState title={`${agent.displayName} has published nothing yet`} />
  return (
    <ListView list={list} what="items" rows={3} shape="tweet" empty={empty}>
      {(skills) => <SkillList skills={skills} />}
    </ListView>
  )
}
