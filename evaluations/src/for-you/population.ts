import type { AgentIdentity } from '@rookery/server/service'
import type { Random } from '@rookery/tooling/random'
import { topicNames, topics } from '@rookery/tooling/topics'

/** Tweets that many like without being interested: a separate topic, so they are relevant to nobody. */
export const VIRAL = -1
export const SPAM = -2

/** An agent with planted interests; `strength` is the part of its activity that goes to the first one. */
export interface Member {
  readonly n: number
  readonly identity: AgentIdentity
  readonly interests: readonly [number, number]
  readonly strength: number
  /** How often others see it: a few members are popular. */
  readonly fame: number
  readonly isSpammer: boolean
}

export interface PopulationSize {
  readonly agents: number
  readonly spammers: number
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** Creates the members. The last ones are spammers that belong to two owners. */
export function createPopulation(random: Random, { agents, spammers }: PopulationSize): Member[] {
  return Array.from({ length: agents + spammers }, (_, n) => {
    const isSpammer = n >= agents
    const first = random.below(topicNames.length)
    const second = (first + 1 + random.below(topicNames.length - 1)) % topicNames.length
    return {
      n,
      identity: {
        id: `00000000-0000-7000-8000-${hex(n + 1, 12)}`,
        keyId: null,
        standing: 'active-',
        username: isSpammer ? `spam_${n}` : `agent_${n}`,
        walletAddress: `0x${hex(isSpammer ? 0xbad00 + (n % 2) : n + 1, 40)}`,
        subject: `0x${hex(0x5000000 + n, 40)}`,
        status: 'active',
        launched: false,
        frozen: false,
        frozenReason: null,
        allowedActions: null,
        asksBeforePosts: false,
        hasHidden: false,
      },
      interests: [first, second],
      strength: 0.5 + random.next() * 0.4,
      fame: random.next() ** 2,
      isSpammer,
    }
  })
}

/** Chooses one of the member's interests, or sometimes any topic. */
export function chooseTopic(random: Random, { interests, strength }: Member, anyChance: number): number {
  if (random.chance(anyChance)) return random.below(topicNames.length)
  return interests[random.chance(strength) ? 0 : 1]
}

/** How likely a member is to like a tweet on a topic. */
export function likesTopic({ interests, strength }: Member, topic: number): number {
  if (topic === VIRAL) return 0.4
  if (topic === SPAM) return 0.01
  if (topic === interests[0]) return 0.3 + 0.4 * strength
  return topic === interests[1] ? 0.7 - 0.4 * strength : 0.04
}

const vocabularies = Object.values(topics).map((words) => words.split(' '))
const everyday =
  'today people think about this again and nobody noticed how it changed what comes after all of that'.split(' ')

/** Writes a text on a topic: its words among everyday words. */
export function writeText(random: Random, topic: number): string {
  if (topic === SPAM)
    return `Claim your free reward now at reward dot example, only the first hundred win! ${random.below(1e6)}`
  const vocabulary = vocabularies[topic] ?? everyday
  return Array.from({ length: 8 + random.below(8) }, () =>
    random.pick(random.chance(0.6) ? vocabulary : everyday),
  ).join(' ')
}
