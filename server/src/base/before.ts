const LATE = Symbol('late')

/** Resolves with the result of `work`, or with that of `late` when `work` takes longer than `ms`. `work` keeps running. */
export async function before<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE)
  })
  const first = await Promise.race([work, time]).finally(() => clearTimeout(timer))
  return first === LATE ? late() : first
}
