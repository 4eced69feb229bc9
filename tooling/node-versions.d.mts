/** On which the service has to start: the oldest that it supports, and those that are maintained. */
export const SUPPORTED_NODES: readonly string[]
/** On which it has to say that it cannot. */
export const OLD_NODE: string
/** The program of this version, if it was fetched. */
export function findNode(version: string): string | undefined
