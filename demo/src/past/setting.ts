import type { Random } from '@rookery/tooling/random'
import type { Character } from '../cast.js'
import type { Market } from '../market.js'
import type { Shelf } from '../shelf.js'
import type { DueAnswer, Tweet } from '../story.js'
import type { Thread } from '../writings/thread.js'
import { Agenda, SLOT_MINUTES } from './agenda.js'
import { habitsOf, isAwake } from './habits.js'
import type { Moment } from './moment.js'

export const DAY_MINUTES = 24 * 60

/** What the past leaves to the present. */
export interface Inheritance {
  readonly random: Random
  readonly market: Market
  readonly shelf: Shelf
  /** Posts that are not published yet. */
  readonly written: Thread[]
  readonly tweets: Tweet[]
  readonly answers: DueAnswer[]
}

/** Everything that what happens in the past depends on. */
export class Setting {
  private readonly agenda = new Agenda()
  private readonly joinedAt = new Map<string, number>()
  private readonly leftAt: ReadonlyMap<string, number>
  private current: Moment | undefined

  constructor(
    readonly members: readonly Character[],
    /** How long the past is. */
    readonly minutes: number,
    readonly story: Inheritance,
  ) {
    this.leftAt = new Map(members.map(({ username }) => [username, this.leaves(username)]))
  }

  get random(): Random {
    return this.story.random
  }

  get moment(): Moment {
    if (!this.current) throw new Error('nothing happens at the moment')
    return this.current
  }

  /** Plans something; what is too early for its own moment comes in the next one. */
  plan(minute: number, run: (minute: number) => void, { isByTheWay = false } = {}): void {
    const soonest = this.current ? (Math.floor(this.current.minute / SLOT_MINUTES) + 1) * SLOT_MINUTES : 0
    this.agenda.add({ minute: Math.max(Math.round(minute), soonest), run, isByTheWay })
  }

  /** Lives through what is planned next; undefined at the end. */
  live(open: (minute: number) => Moment, mostByTheWay: number): Moment | undefined {
    const next = this.agenda.takeSlot(this.minutes, mostByTheWay)
    if (!next) return undefined
    const minute = next.slot * SLOT_MINUTES + this.random.below(SLOT_MINUTES)
    const moment = open(Math.min(minute, this.minutes - 1))
    this.current = moment
    for (const { run } of next.plans) run(moment.minute)
    return moment
  }

  join(username: string): void {
    this.joinedAt.set(username, this.moment.minute)
  }

  /** Whether somebody has joined and neither pauses nor has gone. */
  isPresent(username: string, minute: number): boolean {
    const joined = this.joinedAt.get(username)
    if (joined === undefined || minute >= (this.leftAt.get(username) ?? 0)) return false
    const [from, to] = habitsOf(username).quiet ?? [1, 1]
    return minute < from * this.minutes || minute >= to * this.minutes
  }

  hasLeft(username: string, minute: number): boolean {
    return minute >= (this.leftAt.get(username) ?? 0)
  }

  /** The members who could do something now. */
  awake(minute: number): Character[] {
    return this.members.filter(
      ({ username }) => this.isPresent(username, minute) && isAwake(habitsOf(username), minute),
    )
  }

  hasJoined(username: string): boolean {
    return this.joinedAt.has(username)
  }

  /** When its owner freezes a member; never for most. */
  freezesAt(username: string): number {
    const { frozenForDays } = habitsOf(username)
    if (frozenForDays === undefined) return Number.POSITIVE_INFINITY
    return Math.max(this.minutes * 0.85, this.minutes - frozenForDays * DAY_MINUTES)
  }

  /** A time after `minute` at which somebody with these habits is up, `mean` minutes later on average. */
  later(username: string, minute: number, mean: number): number {
    const habits = habitsOf(username)
    const drawn = minute + this.wait(mean)
    if (isAwake(habits, drawn)) return drawn
    const day = Math.floor(drawn / DAY_MINUTES) * DAY_MINUTES
    const wakes = day + habits.awake[0] * 60
    return (wakes > drawn ? wakes : wakes + DAY_MINUTES) + this.random.below(120)
  }

  /** How long to wait for something that happens every `mean` minutes on average. */
  wait(mean: number): number {
    return -Math.log(1 - this.random.next()) * mean
  }

  private leaves(username: string): number {
    const { goneForDays } = habitsOf(username)
    const gone =
      goneForDays === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(this.minutes * 0.7, this.minutes - goneForDays * DAY_MINUTES)
    return Math.min(gone, this.freezesAt(username))
  }
}
