/** The service must start on these: the oldest supported version, and the maintained ones. */
export const SUPPORTED_NODES: readonly string[]
/** The service must refuse to start on this one. */
export const OLD_NODE: string
/** The executable of this version, if it was fetched. */
export function findNode(version: string): string | undefined
