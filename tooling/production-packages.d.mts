export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly libc: string
}
export function isForThisMachine(path: string, machine?: Machine): boolean
export function isForeignFile(path: string, machine?: Machine): boolean
/** The workspaces and packages that programs need at run time, as paths relative to `root`. */
export function findPackages(
  root: string,
  programs: readonly string[],
): { readonly packages: string[]; readonly workspaces: string[] }
