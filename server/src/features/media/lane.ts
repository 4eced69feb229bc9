/** Lets work through one piece at a time, in the order it comes. */
export type Lane = <T>(work: () => Promise<T>) => Promise<T>

export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
