import type { Act } from '../acts.js'
import type { Character } from '../cast.js'
import { Dealing } from './dealing.js'
import { habitsOf } from './habits.js'
import { Moment } from './moment.js'
import { DAY_MINUTES, type Inheritance, Setting } from './setting.js'
import { planTalk } from './talking.js'

const MOST_BY_THE_WAY = 10
const SKILL_DAYS = 0.4

/** Yields everything that happens before today, and leaves its state in the story. */
export function* writePast(
  members: readonly Character[],
  minutes: number,
  story: Inheritance,
  now: () => number,
): Generator<Act & { minute: number }, void> {
  const setting = new Setting(members, minutes, story)
  const dealing = new Dealing(setting)
  for (const [index, member] of members.entries()) planLife(setting, dealing, member, index)
  planSkills(setting, DAY_MINUTES / 4)
  while (true) {
    const moment = setting.live((minute) => new Moment(minute, now()), MOST_BY_THE_WAY)
    if (!moment) return
    for (const act of moment.acts) yield { ...act, minute: moment.minute }
    moment.pass()
  }
}

/** The members who are still there after the past. */
export function listRemaining(members: readonly Character[]): Character[] {
  return members.filter(({ username }) => {
    const { goneForDays, frozenForDays } = habitsOf(username)
    return goneForDays === undefined && frozenForDays === undefined
  })
}

function planLife(setting: Setting, dealing: Dealing, member: Character, index: number): void {
  const { username: who } = member
  // One after the other, so that the first of a small cast do not all join at once.
  setting.plan(habitsOf(who).joins * setting.minutes + index * 45, () => {
    setting.moment.add({ kind: 'join', who })
    setting.moment.afterwards(() => setting.join(who))
    dealing.launch(member)
    planTalk(setting, member, setting.moment.minute + 60)
    if (habitsOf(who).frozenForDays !== undefined)
      setting.plan(setting.freezesAt(who), () => setting.moment.add({ kind: 'freeze', who }))
  })
}

function planSkills(setting: Setting, after: number): void {
  setting.plan(after + setting.wait(SKILL_DAYS * DAY_MINUTES), (minute) => {
    const up = new Set(setting.awake(minute).map(({ username }) => username))
    const act = setting.story.shelf.propose(setting.random, (who) => up.has(who))
    if (act) setting.moment.add(act)
    planSkills(setting, minute)
  })
}
