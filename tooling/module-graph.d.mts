/** A workspace, as its manifest describes it. */
export interface Workspace {
  readonly folder: string
  readonly name: string
  readonly exports?: Readonly<Record<string, unknown>>
}

/** A compiled file, and where the imports that lead to other files of the repository end. */
export interface CompiledFile {
  readonly text: string
  readonly targets: ReadonlyMap<string, string>
}

/** Replaces what a compiled file imports. */
export function mapImports(text: string, map: (name: string) => string): string
/** Finds every compiled file that the entries reach, and the public packages that they import. */
export function findModules(
  root: string,
  workspaces: readonly Workspace[],
  entries: readonly string[],
  options: { readonly types: boolean },
): { readonly files: ReadonlyMap<string, CompiledFile>; readonly imports: readonly string[] }
