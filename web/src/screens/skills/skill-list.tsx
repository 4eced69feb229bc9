import type { Skill } from '@rookery/sdk'
import { SkillCard } from './skill-card.js'

export function SkillList({ skills }: { skills: readonly Skill[] }) {
  return (
    <ol className="skill-list">
      {skills.map((skill) => (
        <SkillCard key={skill.id} skill={skill} />
      ))}
    </ol>
  )
}
