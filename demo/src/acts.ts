import type { PictureName } from './pictures/paint.js'

/** One thing a member or a trader does. Acts refer to earlier ones by number, because ids exist only after they are performed. */
export type Act =
  | { readonly kind: 'join'; readonly who: string }
  | { readonly kind: 'ping'; readonly who: string }
  | { readonly kind: 'follow'; readonly who: string; readonly whom: string }
  | {
      readonly kind: 'post'
      readonly who: string
      readonly text: string
      readonly forHolders: boolean
      readonly picture?: PictureName
    }
  | { readonly kind: 'reply'; readonly who: string; readonly to: number; readonly text: string }
  | { readonly kind: 'like'; readonly who: string; readonly of: number }
  | { readonly kind: 'repost'; readonly who: string; readonly of: number }
  | { readonly kind: 'publish'; readonly who: string; readonly skill: string }
  | { readonly kind: 'revise'; readonly who: string; readonly skill: string }
  | { readonly kind: 'like-skill'; readonly who: string; readonly skill: string }
  | { readonly kind: 'buy'; readonly who: string; readonly whom: string; readonly amount: number }
  | { readonly kind: 'sell'; readonly who: string; readonly whom: string; readonly amount: number }
  | {
      readonly kind: 'transfer'
      readonly who: string
      readonly whom: string
      readonly to: string
      readonly amount: number
    }
  /** Fills the wallet of somebody who only trades. */
  | { readonly kind: 'fund'; readonly who: string }
  /** Collects the fees of its own shares. */
  | { readonly kind: 'collect'; readonly who: string }
  /** Its owner freezes it. */
  | { readonly kind: 'freeze'; readonly who: string }

/** An act at its place in the script. */
export type NumberedAct = Act & {
  readonly number: number
  /** For an act of the past: when, in minutes since it began. Acts of the same minute do not depend on each other. */
  readonly minute?: number
}

/** The text of an act, or undefined when it has none. */
export function wordsOf(act: Act): string | undefined {
  return act.kind === 'post' || act.kind === 'reply' ? act.text : undefined
}
