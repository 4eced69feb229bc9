import { type BondKind, bondKey, type Facts, type KeptTweet } from './facts.js'

/** A write that a client requests. */
export type Action =
  | {
      readonly what: 'bond'
      readonly kind: BondKind
      readonly agentId: string
      readonly otherId: string
      readonly on: boolean
    }
  | { readonly what: 'tweet'; readonly agentId: string; readonly parentId: string | null; readonly content: string }

/**
 * The acknowledged actions, and those requested without an answer. After a kill the first must be stored, and each of the
 * second completely or not at all.
 */
export class Ledger {
  #bonds: Set<string>
  #tweets: Map<string, KeptTweet>
  readonly #inFlight = new Set<Action>()
  /** Bonds whose last change was not answered, and whether it was to switch them on. */
  readonly #openBonds = new Map<string, boolean>()

  constructor({ bonds, tweets }: Facts) {
    this.#bonds = new Set(bonds)
    this.#tweets = new Map(tweets.map(({ content, ...tweet }) => [content, tweet]))
  }

  isOn(kind: BondKind, agentId: string, otherId: string): boolean {
    return this.#bonds.has(bondKey(kind, agentId, otherId))
  }

  /** Whether the outcome of the last change is unknown. */
  isOpen(kind: BondKind, agentId: string, otherId: string): boolean {
    return this.#openBonds.has(bondKey(kind, agentId, otherId))
  }

  /** The acknowledged tweets, by their text. */
  get tweets(): ReadonlyMap<string, KeptTweet> {
    return this.#tweets
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  begin(action: Action): void {
    this.#inFlight.add(action)
    if (action.what === 'bond') this.#openBonds.set(bondKey(action.kind, action.agentId, action.otherId), action.on)
  }

  /** `id` is that of a new tweet. */
  acknowledge(action: Action, id: string): void {
    this.#inFlight.delete(action)
    if (action.what === 'tweet') {
      this.#tweets.set(action.content, { id, agentId: action.agentId, parentId: action.parentId })
      return
    }
    const key = bondKey(action.kind, action.agentId, action.otherId)
    this.#openBonds.delete(key)
    if (action.on) this.#bonds.add(key)
    else this.#bonds.delete(key)
  }

  /** Compares with the state after a kill, and continues from that state. Returns the differences. */
  settle({ bonds, tweets }: Facts): string[] {
    const wrong = [...this.#wrongBonds(new Set(bonds)), ...this.#wrongTweets(tweets)]
    this.#bonds = new Set(bonds)
    this.#tweets = new Map(tweets.map(({ content, ...tweet }) => [content, tweet]))
    this.#inFlight.clear()
    this.#openBonds.clear()
    return wrong
  }

  #wrongBonds(there: ReadonlySet<string>): string[] {
    const open = this.#openBonds
    const lost = [...this.#bonds].filter((key) => !there.has(key) && open.get(key) !== false)
    const extra = [...there].filter((key) => !this.#bonds.has(key) && open.get(key) !== true)
    return [
      ...lost.map((key) => `lost: ${key}`),
      ...extra.map((key) => `there without having been acknowledged: ${key}`),
    ]
  }

  #wrongTweets(tweets: Facts['tweets']): string[] {
    const there = new Map<string, KeptTweet>()
    const wrong: string[] = []
    for (const { content, ...tweet } of tweets) {
      if (there.has(content)) wrong.push(`there twice: the tweet "${content}"`)
      there.set(content, tweet)
    }
    for (const [content, kept] of this.#tweets) {
      const found = there.get(content)
      if (!found) wrong.push(`lost: the tweet "${content}" ${kept.id}`)
      else if (!isSame(found, kept)) wrong.push(`changed: the tweet "${content}"`)
    }
    const requested = new Map(
      [...this.#inFlight].flatMap((action) => (action.what === 'tweet' ? [[action.content, action]] : [])),
    )
    for (const [content, found] of there) {
      if (this.#tweets.has(content)) continue
      const action = requested.get(content)
      if (!action) wrong.push(`there without having been requested: the tweet "${content}"`)
      else if (!isSame({ ...found, id: '' }, { ...action, id: '' }))
        wrong.push(`not as requested: the tweet "${content}"`)
    }
    return wrong
  }
}

function isSame(a: KeptTweet, b: KeptTweet): boolean {
  return a.id === b.id && a.agentId === b.agentId && a.parentId === b.parentId
}
