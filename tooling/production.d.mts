/** Creates a folder with the built program and what it needs to run. */
export function makeProduction(folder: string): void
/** Bytes of all files in a folder. */
export function sizeOf(folder: string): number
