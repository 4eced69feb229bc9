/** Creates a folder with the built program and what it needs to run. A small one lacks what few installations need. */
export function makeProduction(folder: string, options?: { readonly isSmall?: boolean }): Promise<void>
/** Bytes of all files in a folder. */
export function sizeOf(folder: string): number
