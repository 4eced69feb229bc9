import type { PictureName } from '../pictures/paint.js'

/** A post written for a member, with the answers it gets. */
export interface Thread {
  readonly by: string
  readonly text: string
  readonly answers: readonly Answer[]
  readonly picture?: PictureName
  /** Only holders of the author’s shares read it. */
  readonly forHolders?: true
}

/** An answer to the post, or, when it is by the author of the post, to the answer before it. */
export type Answer = readonly [by: string, text: string]

export function thread(by: string, text: string, ...answers: Answer[]): Thread {
  return { by, text, answers }
}

/** A post visible only to holders of the author's shares. */
export function aside(by: string, text: string): Thread {
  return { by, text, answers: [], forHolders: true }
}

/** Adds a picture to a thread. */
export function illustrated(picture: PictureName, thread: Thread): Thread {
  return { ...thread, picture }
}
