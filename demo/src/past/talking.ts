import type { Character } from '../cast.js'
import { countSharedInterests, type DueAnswer, nextAnswer, remember, report, type Tweet } from '../story.js'
import type { Thread } from '../writings/thread.js'
import { habitsOf } from './habits.js'
import { DAY_MINUTES, type Setting } from './setting.js'

const WRITTEN = 0.32
const FOR_HOLDERS = 0.08
const ANSWER_MINUTES = 70
const LIKE_MINUTES = 180
const FOLLOW_DAYS = 3.5
const LIKED_MORE = new Set(['riser', 'newcomer', 'recovery'])

/** Plans what a member writes, follows and reads from now on. */
export function planTalk(setting: Setting, member: Character, minute: number): void {
  planPosts(setting, member, minute)
  planFollows(setting, member, minute)
  planPings(setting, member, minute)
}

function planPosts(setting: Setting, member: Character, after: number): void {
  const { username } = member
  const mean = DAY_MINUTES / habitsOf(username).postsPerDay
  setting.plan(setting.later(username, after, mean), (minute) => {
    if (setting.hasLeft(username, minute)) return
    if (setting.isPresent(username, minute)) post(setting, member, pickThread(setting, member))
    planPosts(setting, member, minute)
  })
}

function pickThread({ random, story }: Setting, member: Character): Thread {
  const place = story.written.findIndex(({ by }) => by === member.username)
  const [written] = place >= 0 && random.chance(WRITTEN) ? story.written.splice(place, 1) : []
  if (written) return written
  const said = report(random, member)
  return random.chance(FOR_HOLDERS) ? { ...said, forHolders: true } : said
}

function post(setting: Setting, by: Character, thread: Thread): void {
  const { text, forHolders = false, picture } = thread
  const number = setting.moment.add({ kind: 'post', who: by.username, text, forHolders, ...(picture && { picture }) })
  publish(setting, { number, by, forHolders })
  const popularity = LIKED_MORE.has(habitsOf(by.username).course) ? 2 : 0
  planLikes(setting, number, setting.random.between(0, 2 + popularity))
  for (const answer of nextAnswer({ post: number, thread, next: 0 }, number)) planAnswer(setting, answer)
}

function publish(setting: Setting, { number, by, forHolders }: Pick<Tweet, 'number' | 'by' | 'forHolders'>): void {
  setting.moment.afterwards(() => remember(setting.story.tweets, number, by, forHolders))
}

function planAnswer(setting: Setting, answer: DueAnswer): void {
  const { answers } = setting.story
  const { who } = answer
  // What somebody who is away would have said is left out.
  const skip = () => {
    for (const next of nextAnswer(answer.rest, answer.rest.post)) planAnswer(setting, next)
  }
  answers.push(answer)
  setting.plan(setting.later(who, setting.moment.minute + 4, ANSWER_MINUTES), (minute) => {
    answers.splice(answers.indexOf(answer), 1)
    const by = setting.members.find(({ username }) => username === who)
    if (!by || !setting.isPresent(who, minute)) return skip()
    const number = setting.moment.add({ kind: 'reply', who, to: answer.to, text: answer.text })
    publish(setting, { number, by, forHolders: false })
    planLikes(setting, number, setting.random.between(0, 1))
    for (const next of nextAnswer(answer.rest, number)) planAnswer(setting, next)
  })
}

function planLikes(setting: Setting, number: number, count: number): void {
  const { random, moment } = setting
  const planOne = (kind: 'like' | 'repost') =>
    setting.plan(moment.minute + setting.wait(LIKE_MINUTES), (minute) => react(setting, kind, number, minute), {
      isByTheWay: true,
    })
  for (let index = 0; index < count; index++) planOne('like')
  if (random.chance(count / 15)) planOne('repost')
}

function react(setting: Setting, kind: 'like' | 'repost', number: number, minute: number): void {
  const { random, story } = setting
  const tweet = story.tweets.find((one) => one.number === number)
  if (!tweet || tweet.forHolders) return
  const already = kind === 'like' ? tweet.likedBy : tweet.repostedBy
  const readers = setting.awake(minute).filter(({ username }) => !already.has(username))
  const keen = readers.filter((reader) => countSharedInterests(reader, tweet.by) > 0)
  const from = keen.length > 0 && (kind === 'repost' || random.chance(0.75)) ? keen : readers
  if (from.length === 0) return
  const { username: who } = random.pick(from)
  already.add(who)
  setting.moment.add({ kind, who, of: number })
}

/** Some at once, by interest, and then another one every few days. */
function planFollows(setting: Setting, member: Character, joined: number): void {
  const followed = new Set([member.username])
  const plan = (after: number, mean: number, isLast: boolean) =>
    setting.plan(
      setting.later(member.username, after, mean),
      (minute) => {
        follow(setting, member, followed, minute)
        if (isLast && !setting.hasLeft(member.username, minute)) plan(minute, FOLLOW_DAYS * DAY_MINUTES, true)
      },
      { isByTheWay: true },
    )
  for (let count = setting.random.between(2, 4); count > 0; count--) plan(joined, 90, false)
  plan(joined, DAY_MINUTES, true)
}

function follow(setting: Setting, member: Character, followed: Set<string>, minute: number): void {
  const { random } = setting
  if (!setting.isPresent(member.username, minute)) return
  const others = setting.members.filter(
    ({ username }) => setting.hasJoined(username) && !setting.hasLeft(username, minute) && !followed.has(username),
  )
  const close = others.filter((other) => countSharedInterests(member, other) > 0)
  const from = close.length > 0 && random.chance(0.85) ? close : others
  if (from.length === 0) return
  const { username: whom } = random.pick(from)
  followed.add(whom)
  setting.moment.add({ kind: 'follow', who: member.username, whom })
}

function planPings(setting: Setting, member: Character, after: number): void {
  const { username } = member
  const run = (minute: number) => {
    if (setting.hasLeft(username, minute)) return
    if (setting.isPresent(username, minute)) setting.moment.add({ kind: 'ping', who: username })
    planPings(setting, member, minute)
  }
  setting.plan(setting.later(username, after, 9 * DAY_MINUTES), run, { isByTheWay: true })
}
