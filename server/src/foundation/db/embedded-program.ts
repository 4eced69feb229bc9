import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

declare global {
  // Node has it, but only the types of browsers declare it.
  namespace WebAssembly {
    interface Module {}
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** PostgreSQL, compiled for this processor. */
export type EmbeddedProgram = WebAssembly.Module

// By default V8 optimises functions so early that the start spends half a second on code that hardly runs again.
const TIERING_BUDGET = 20_000_000

let program: Promise<EmbeddedProgram> | undefined

/** Compiles the engine once for all threads of the process, which then share the compiled code. */
export function compileProgram(): Promise<EmbeddedProgram> {
  program ??= compile()
  return program
}

async function compile(): Promise<EmbeddedProgram> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')))
}
