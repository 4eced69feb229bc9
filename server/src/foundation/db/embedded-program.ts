import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

declare global {
  // Node has it; its types leave it to those of browsers.
  namespace WebAssembly {
    interface Module {}
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** PostgreSQL, compiled for this processor. */
export type EmbeddedProgram = WebAssembly.Module

// By default V8 optimises functions so early that a start spends half a second on code that it hardly runs again.
const TIERING_BUDGET = 20_000_000

let program: Promise<EmbeddedProgram> | undefined

/** Compiles it once for all threads of the process, which then share what V8 makes of its functions. */
export function compileProgram(): Promise<EmbeddedProgram> {
  program ??= compile()
  return program
}

async function compile(): Promise<EmbeddedProgram> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')))
}
