import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

declare global {
  // Node has it; its types leave it to those of browsers.
  namespace WebAssembly {
    interface Module {}
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** PostgreSQL, compiled for this processor. */
export type EmbeddedProgram = WebAssembly.Module

let program: Promise<EmbeddedProgram> | undefined

/** Compiles it once for all threads of the process: nine megabytes of WebAssembly take seconds of processor time. */
export function compileProgram(): Promise<EmbeddedProgram> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  program ??= readFile(join(folder, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes))
  return program
}
