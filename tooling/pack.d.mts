/** A package that was made. */
export interface Packed {
  /** Path of the archive. */
  readonly archive: string
  /** Bytes of the archive. */
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** The workspaces that are published. */
export const PUBLISHED: readonly string[]
/** Makes the package of a built workspace in a folder. */
export function pack(workspace: string, destination: string): Packed
