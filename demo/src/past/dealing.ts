import type { Character } from '../cast.js'
import type { Deal } from '../market.js'
import { countSharedInterests } from '../story.js'
import { favours, type TraderName, traders } from '../traders.js'
import { tradesPerDay, wantedSupply } from './courses.js'
import { habitsOf } from './habits.js'
import { Purses } from './purses.js'
import { DAY_MINUTES, type Setting } from './setting.js'

const MOST_AT_ONCE = 6
const WIDE_GAP = 4
const TRADERS_SHARE = 0.45
const TRANSFER_DAYS = 4
const COLLECT_DAYS = 11

/** Plans who buys, sells, gives away and collects. */
export class Dealing {
  private readonly purses = new Purses()
  private readonly funded: TraderName[] = []

  constructor(private readonly setting: Setting) {
    for (const [index, who] of traders.entries()) this.planTrader(who, (index * setting.minutes) / 16)
    this.planTransfer(0)
  }

  /** Plans the launch of a member that joins now, and the trade in its shares. */
  launch(member: Character): void {
    const { setting, purses } = this
    const { username: who } = member
    purses.fill(who)
    const begin = (minute: number): void => {
      if (setting.moment.isBusy(who)) {
        setting.plan(minute, begin)
        return
      }
      const deal = setting.story.market.launch(who, setting.random.between(1, 3))
      purses.settle(deal, 0)
      setting.moment.occupy(who)
      setting.moment.add(deal)
      this.planTrade(member, minute, minute)
    }
    setting.plan(setting.moment.minute + setting.random.between(30, 200), begin)
    if (habitsOf(who).collects) this.planCollection(who)
  }

  private planTrade(member: Character, launched: number, after: number): void {
    const { setting } = this
    const { course } = habitsOf(member.username)
    const gap = () => this.gap(member, launched)
    const hurry = Math.abs(wantedSupply(course, this.part(launched, after)) - this.supply(member)) > WIDE_GAP ? 4 : 1
    const mean = DAY_MINUTES / tradesPerDay(course) / hurry
    const drawn = after + setting.wait(mean)
    // Few people are up at three in the morning.
    const hour = Math.floor(drawn / 60) % 24
    const at = hour < 5 && setting.random.chance(0.8) ? drawn + (6 - hour) * 60 : drawn
    setting.plan(at, (minute) => {
      if (!setting.moment.isBusy(member.username)) this.trade(member, gap(), minute)
      this.planTrade(member, launched, minute)
    })
  }

  private part(launched: number, minute: number): number {
    return (minute - launched) / Math.max(1, this.setting.minutes - launched)
  }

  private supply({ username }: Character): number {
    return this.setting.story.market.supply(username)
  }

  /** How many shares people want beyond those there are, give or take a mood. */
  private gap(member: Character, launched: number): number {
    const { random, moment } = this.setting
    const wanted = wantedSupply(habitsOf(member.username).course, this.part(launched, moment.minute))
    return Math.round(wanted + random.between(-15, 15) / 10 - this.supply(member))
  }

  private trade(member: Character, gap: number, minute: number): void {
    const { random } = this.setting
    const isBuy = gap > 0 || (gap === 0 && random.chance(0.5))
    const deal = isBuy ? this.buy(member, gap, minute) : this.sell(member, gap, minute)
    if (deal) this.make(deal)
  }

  private make(deal: Deal): void {
    const { moment, story } = this.setting
    this.purses.settle(deal, story.market.supply(deal.whom))
    story.market.deal(deal)
    moment.occupy(deal.who, deal.whom)
    moment.add(deal)
  }

  private buy(member: Character, gap: number, minute: number): Deal | undefined {
    const { random, moment } = this.setting
    const { username: whom } = member
    const amount = random.between(1, Math.min(MOST_AT_ONCE, Math.max(1, Math.ceil(gap / 2))))
    const canBuy = (who: string) =>
      who !== whom && !moment.isBusy(who) && this.purses.canPay({ who, amount }, this.supply(member))
    const course = habitsOf(whom).course
    const outside = this.funded.filter((who) => canBuy(who) && (favours[who]?.includes(course) ?? true))
    const inside = this.setting
      .awake(minute)
      .filter((other) => canBuy(other.username) && countSharedInterests(member, other) > 0)
      .map(({ username }) => username)
    const from = outside.length > 0 && (inside.length === 0 || random.chance(TRADERS_SHARE)) ? outside : inside
    return from.length === 0 ? undefined : { kind: 'buy', who: random.pick(from), whom, amount }
  }

  private sell({ username: whom }: Character, gap: number, minute: number): Deal | undefined {
    const { random, moment, story } = this.setting
    const up = new Set<string>([...this.funded, ...this.setting.awake(minute).map(({ username }) => username)])
    const from = story.market.holdersOf(whom).filter((who) => up.has(who) && !moment.isBusy(who))
    if (from.length === 0) return undefined
    const who = random.pick(from)
    const wanted = random.between(1, Math.min(MOST_AT_ONCE, Math.max(1, Math.ceil(-gap / 2))))
    return { kind: 'sell', who, whom, amount: Math.min(wanted, story.market.held(whom, who)) }
  }

  private planTrader(who: TraderName, minute: number): void {
    const fund = () => {
      this.setting.moment.add({ kind: 'fund', who })
      this.setting.moment.occupy(who)
      this.setting.moment.afterwards(() => {
        if (!this.funded.includes(who)) this.funded.push(who)
        this.purses.fill(who)
      })
    }
    this.setting.plan(minute, fund)
    this.setting.plan(minute + this.setting.minutes / 2, fund)
  }

  /** Now and then, somebody gives shares to somebody else. */
  private planTransfer(after: number): void {
    const { setting } = this
    setting.plan(after + setting.wait(TRANSFER_DAYS * DAY_MINUTES), (minute) => {
      this.transfer()
      this.planTransfer(minute)
    })
  }

  private transfer(): void {
    const { random, moment, story, members } = this.setting
    const free = this.funded.filter((who) => !moment.isBusy(who))
    const gifts = free.flatMap((who) =>
      members
        .filter(({ username: whom }) => !moment.isBusy(whom) && story.market.held(whom, who) > 1)
        .map(({ username: whom }) => ({ who, whom })),
    )
    if (gifts.length === 0) return
    const { who, whom } = random.pick(gifts)
    const others = free.filter((other) => other !== who)
    if (others.length === 0) return
    const to = random.pick(others)
    story.market.move(whom, who, to, 1)
    moment.occupy(who, whom, to)
    moment.add({ kind: 'transfer', who, whom, to, amount: 1 })
  }

  private planCollection(who: string): void {
    const { setting } = this
    setting.plan(setting.later(who, setting.moment.minute + 3 * DAY_MINUTES, COLLECT_DAYS * DAY_MINUTES), (minute) => {
      if (setting.isPresent(who, minute) && !setting.moment.isBusy(who)) {
        setting.moment.occupy(who)
        setting.moment.add({ kind: 'collect', who })
      }
      this.planCollection(who)
    })
  }
}
