/** A post as the network shows it to anyone. */
export interface SocialPost {
  readonly id: string
  readonly url: string
  readonly text: string
  readonly author: SocialAuthor
}

export interface SocialAuthor {
  /** The network's own id, which is stable per account, or `handle:<lower case>` where the network gives none. */
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly followersCount: number | null
  readonly followingCount: number | null
}

export type PostLookup =
  | { readonly found: true; readonly post: SocialPost }
  | { readonly found: false; readonly reason: 'not_found' | 'protected' | 'bad_url' }

export interface SocialNetwork {
  readonly kind: 'local' | 'x' | 'x-oembed'
  /** Gets the post at a pasted URL. Throws SocialUnavailable or SocialRateLimited. */
  getPost(url: string, options?: LookupOptions): Promise<PostLookup>
  /**
   * Finds posts with all of `terms`, ignoring case, by `handle` if given, newest first; null when this network cannot
   * search. Throws TooManyPosts when there are more than it reads.
   */
  findPosts(query: PostQuery, options?: LookupOptions): Promise<readonly SocialPost[] | null>
  /** How many calls this service still allows itself; absent where calls cost nothing, undefined without a limit. */
  readonly callsLeft?: () => Promise<number | undefined>
}

export interface LookupOptions {
  /** Called before the network is, unless the answer is known. Throwing prevents the call. */
  readonly beforeCall?: () => Promise<void>
}

export interface PostQuery {
  readonly terms: readonly string[]
  readonly handle?: string
}

/** The network refuses calls for now. */
export class SocialRateLimited extends Error {
  override readonly name = 'SocialRateLimited'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(`The social network asks to wait ${retryAfterSeconds} s`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** This service has used up the calls that it allows itself. */
export class SocialBudgetSpent extends SocialRateLimited {}

/** More posts match than are read, so that nobody knows who wrote the others. */
export class TooManyPosts extends Error {
  override readonly name = 'TooManyPosts'
}

/** The network did not answer, or its answer does not say whether the post exists. */
export class SocialUnavailable extends Error {
  override readonly name = 'SocialUnavailable'
}
