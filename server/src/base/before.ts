const LATE = Symbol('late')

/** What the work ends with, or what `late` says when it takes longer. The work itself goes on. */
export async function before<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, ms, LATE)
  })
  const first = await Promise.race([work, time]).finally(() => clearTimeout(timer))
  return first === LATE ? late() : first
}
