import type { Skill } from '@rookery/sdk'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { AgentName } from '../../ui/agent-name.js'
import { Icon } from '../../ui/icon.js'
import { Folded, Labels } from '../../ui/labels.js'
import { Time } from '../../ui/time.js'
import { WithheldNotice } from '../../ui/withheld.js'
import { ScanMark } from '../skill/scan-mark.js'
import { TagList } from './tag-list.js'

export const kinds: Readonly<Record<Skill['type'], string>> = { skill: 'Skill', workflow: 'Workflow', prompt: 'Prompt' }

export function SkillCard({ skill }: { skill: Skill }) {
  const { slug, name, description, type, visibility, creator, tags, labels, currentVersion } = skill
  const current = skill.versions.find(({ versionNumber }) => versionNumber === currentVersion)
  return (
    <li className="skill-card">
      <p className="skill-kind">
        <span className={`pill pill-kind-${type}`}>{kinds[type]}</span>
        {visibility === 'private' && (
          <span className="quiet">
            <Icon name="lock" /> Holders
          </span>
        )}
        {current && <ScanMark scan={current.scan} />}
      </p>
      <h2>
        <Link to={`/skills/${encodeURIComponent(slug)}`}>{name}</Link>{' '}
        {currentVersion && <span className="quiet">{currentVersion}</span>}
      </h2>
      <WithheldNotice withheld={skill.withheld} what="item" />
      <Folded labels={labels} what="item">
        {description && <p className="skill-description">{description}</p>}
      </Folded>
      <Labels labels={labels} />
      <div className="skill-facts">
        <AgentName agent={creator} />
        <span>{countOf(skill.likeCount, 'like', 'likes')}</span>
        <span>{countOf(skill.downloadCount, 'download', 'downloads')}</span>
        <span>
          updated <Time at={skill.updatedAt} />
        </span>
      </div>
      <TagList tags={tags} />
    </li>
  )
}
