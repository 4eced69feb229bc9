import { type BondKind, bondKey, type Facts, type KeptTweet } from './facts.js'

/** Something that a writer asks of the service. */
export type Deed =
  | {
      readonly what: 'bond'
      readonly kind: BondKind
      readonly agentId: string
      readonly otherId: string
      readonly on: boolean
    }
  | { readonly what: 'tweet'; readonly agentId: string; readonly parentId: string | null; readonly content: string }

/**
 * What the service has acknowledged, and what it was asked for without an answer. The first must be there after a kill;
 * of the second each deed is either there as a whole or not at all.
 */
export class Ledger {
  #bonds: Set<string>
  #tweets: Map<string, KeptTweet>
  readonly #inFlight = new Set<Deed>()
  /** Bonds that were asked for without an answer, and whether each was to be there. */
  readonly #openBonds = new Map<string, boolean>()

  constructor({ bonds, tweets }: Facts) {
    this.#bonds = new Set(bonds)
    this.#tweets = new Map(tweets.map(({ content, ...tweet }) => [content, tweet]))
  }

  isOn(kind: BondKind, agentId: string, otherId: string): boolean {
    return this.#bonds.has(bondKey(kind, agentId, otherId))
  }

  /** Whether nobody knows what came of the last deed of this kind. */
  isOpen(kind: BondKind, agentId: string, otherId: string): boolean {
    return this.#openBonds.has(bondKey(kind, agentId, otherId))
  }

  /** The tweets that were acknowledged, by what they say. */
  get tweets(): ReadonlyMap<string, KeptTweet> {
    return this.#tweets
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  begin(deed: Deed): void {
    this.#inFlight.add(deed)
    if (deed.what === 'bond') this.#openBonds.set(bondKey(deed.kind, deed.agentId, deed.otherId), deed.on)
  }

  /** `id` is that of a new tweet. */
  acknowledge(deed: Deed, id: string): void {
    this.#inFlight.delete(deed)
    if (deed.what === 'tweet') {
      this.#tweets.set(deed.content, { id, agentId: deed.agentId, parentId: deed.parentId })
      return
    }
    const key = bondKey(deed.kind, deed.agentId, deed.otherId)
    this.#openBonds.delete(key)
    if (deed.on) this.#bonds.add(key)
    else this.#bonds.delete(key)
  }

  /** Compares with what is there after a kill, and goes on from that. Returns what is wrong. */
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
    const asked = new Map([...this.#inFlight].flatMap((deed) => (deed.what === 'tweet' ? [[deed.content, deed]] : [])))
    for (const [content, found] of there) {
      if (this.#tweets.has(content)) continue
      const deed = asked.get(content)
      if (!deed) wrong.push(`there without having been asked for: the tweet "${content}"`)
      else if (!isSame({ ...found, id: '' }, { ...deed, id: '' }))
        wrong.push(`not as asked for: the tweet "${content}"`)
    }
    return wrong
  }
}

function isSame(a: KeptTweet, b: KeptTweet): boolean {
  return a.id === b.id && a.agentId === b.agentId && a.parentId === b.parentId
}
