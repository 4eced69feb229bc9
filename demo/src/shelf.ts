import type { Random } from '@rookery/tooling/random'
import type { Act } from './acts.js'
import type { Character } from './cast.js'
import { type PublishedSkill, skills } from './writings/skills.js'

/** What members publish in the skill market, in order, and who likes it. */
export class Shelf {
  private readonly waiting: PublishedSkill[]
  private readonly published: { readonly skill: PublishedSkill; readonly likedBy: Set<string>; isRevised: boolean }[] =
    []

  constructor(private readonly members: readonly Character[]) {
    const names = new Set(members.map(({ username }) => username))
    this.waiting = skills.filter(({ by }) => names.has(by))
  }

  /** Picks something that one of those who are there can do with skills now; undefined when there is nothing. */
  propose(random: Random, isThere: (who: string) => boolean = () => true): Act | undefined {
    const next = this.waiting.find(({ by }) => isThere(by))
    if (next && (this.published.length < 3 || random.chance(0.3))) return this.publish(next)
    const item = this.published.length > 0 ? random.pick(this.published) : undefined
    if (!item) return undefined
    const { skill, likedBy } = item
    if (skill.next && !item.isRevised && likedBy.size > 1 && isThere(skill.by)) {
      item.isRevised = true
      return { kind: 'revise', who: skill.by, skill: skill.name }
    }
    const keen = this.members.filter(
      ({ username }) => username !== skill.by && !likedBy.has(username) && isThere(username),
    )
    if (keen.length === 0) return undefined
    const { username: who } = random.pick(keen)
    likedBy.add(who)
    return { kind: 'like-skill', who, skill: skill.name }
  }

  private publish(skill: PublishedSkill): Act {
    this.waiting.splice(this.waiting.indexOf(skill), 1)
    this.published.push({ skill, likedBy: new Set(), isRevised: false })
    return { kind: 'publish', who: skill.by, skill: skill.name }
  }
}
