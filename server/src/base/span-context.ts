/** Runs work where another piece of code belonged in a trace. */
export type Within = <T>(work: () => T) => T

/**
 * How a queue of this process keeps where a caller belongs, for work that starts from another's call. Absent while there
 * are no traces.
 */
export const spanContext: { keep?: () => Within } = {}
