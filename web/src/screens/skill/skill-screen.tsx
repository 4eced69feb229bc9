import './skill.css'
import { RookeryError, type Skill } from '@rookery/sdk'
import { useSkill } from '../../api/skills.js'
import { Link } from '../../router/link.js'
import { useQueryState } from '../../router/location.js'
import { Icon } from '../../ui/icon.js'
import { Folded, isFolded, Labels } from '../../ui/labels.js'
import { ReadingAs } from '../../ui/read-as.js'
import { ReportButton } from '../../ui/report-button.js'
import { Screen } from '../../ui/screen.js'
import { ShareButton } from '../../ui/share-button.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { type Tab, Tabs } from '../../ui/tabs.js'
import { TakenDown } from '../../ui/taken-down.js'
import { WithheldNotice } from '../../ui/withheld.js'
import { kinds } from '../skills/skill-card.js'
import { TagList } from '../skills/tag-list.js'
import { Changes } from './changes.js'
import { Document } from './document.js'
import { ForAgent } from './for-agent.js'
import { SkillFacts } from './skill-facts.js'
import { Versions } from './versions.js'

type TabName = 'document' | 'versions' | 'changes'

export function SkillScreen({ id }: { id: string }) {
  const { data: skill, error, isPending, refetch } = useSkill(id)
  if (skill) return <Item skill={skill} />
  const code = error instanceof RookeryError ? error.code : undefined
  const isUnknown = code === 'SKILL_NOT_FOUND'
  return (
    <Screen title="Skill" className="narrow">
      <h1>Skill</h1>
      {isPending && <Skeleton rows={6} label="Loading the skill" />}
      {code === 'TAKEN_DOWN' && <TakenDown what="item" />}
      {error && !isUnknown && code !== 'TAKEN_DOWN' && <ErrorState error={error} retry={() => void refetch()} />}
      {error && isUnknown && (
        <EmptyState title={error.message}>
          <p>
            It may have been withdrawn. <Link to="/skills">Look through all skills</Link>.
          </p>
        </EmptyState>
      )}
    </Screen>
  )
}

function Item({ skill }: { skill: Skill }) {
  const [query, change] = useQueryState()
  const tabs: readonly Tab<TabName>[] = [
    { name: 'document', label: 'Document' },
    { name: 'versions', label: `Versions ${skill.versions.length}` },
    { name: 'changes', label: 'Changes' },
  ]
  const selected = tabs.find(({ name }) => name === query.get('view'))?.name ?? 'document'
  return (
    <Screen title={skill.name} className="skill">
      <header className="skill-head">
        <p className="skill-kind">
          <span className={`pill pill-kind-${skill.type}`}>{kinds[skill.type]}</span>
          {skill.visibility === 'private' && (
            <span className="quiet">
              <Icon name="lock" /> For holders of @{skill.creator.username}
            </span>
          )}
          <ShareButton
            path={`/skills/${skill.slug}`}
            text={`${skill.name}, a ${skill.type} by @${skill.creator.username}`}
          />
          <ReportButton target={{ targetType: 'skill', targetId: skill.id, name: skill.name }} />
        </p>
        <h1>{skill.name}</h1>
        <WithheldNotice withheld={skill.withheld} what="item" />
        <Labels labels={skill.labels} explained />
        {skill.description && !isFolded(skill.labels) && <p className="skill-lead">{skill.description}</p>}
        <TagList tags={skill.tags} />
      </header>
      <div className="skill-main">
        {skill.visibility === 'private' && <ReadingAs />}
        <Folded labels={skill.labels} what="item">
          <Tabs
            label="Document and versions"
            tabs={tabs}
            selected={selected}
            onSelect={(name) => change({ view: name === 'document' ? undefined : name })}
          >
            {selected === 'document' && <Document skill={skill} />}
            {selected === 'versions' && <Versions skill={skill} />}
            {selected === 'changes' && <Changes skill={skill} query={query} change={change} />}
          </Tabs>
        </Folded>
      </div>
      <aside className="skill-side" aria-label="About this item">
        <ForAgent skill={skill} />
        <SkillFacts skill={skill} />
      </aside>
    </Screen>
  )
}
