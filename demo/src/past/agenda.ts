/** What falls into the same slot happens at the same moment. */
export const SLOT_MINUTES = 60

/** Something planned: what it does is decided when its time has come. */
export interface Plan {
  readonly minute: number
  /** Comes along with other plans, however late, instead of making a moment of its own. */
  readonly isByTheWay: boolean
  run(minute: number): void
}

/** What is planned, in order of time. */
export class Agenda {
  private readonly plans: Plan[] = []
  private readonly asides: Plan[] = []

  add(plan: Plan): void {
    const list = plan.isByTheWay ? this.asides : this.plans
    // Behind everything of the same minute, so that the order does not depend on how it is searched.
    let place = list.length
    while (place > 0 && (list[place - 1]?.minute ?? 0) > plan.minute) place--
    list.splice(place, 0, plan)
  }

  /** Takes the plans of the next slot, with at most `most` of those that come along; undefined when nothing is planned before `end`. */
  takeSlot(end: number, most: number): { slot: number; plans: Plan[] } | undefined {
    const [first] = this.plans
    if (!first || first.minute >= end) return undefined
    const slot = Math.floor(first.minute / SLOT_MINUTES)
    const until = (slot + 1) * SLOT_MINUTES
    const due = (list: Plan[], limit: number) => {
      const count = list.findIndex(({ minute }) => minute >= until)
      return list.splice(0, Math.min(count < 0 ? list.length : count, limit))
    }
    return { slot, plans: [...due(this.plans, Number.POSITIVE_INFINITY), ...due(this.asides, most)] }
  }
}
