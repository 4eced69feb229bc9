import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const DEMO = fileURLToPath(new URL('../../../demo/src/main.ts', import.meta.url))

/** Plays the beginning of the demo into a folder. */
export async function populate(folder: string, acts: number): Promise<void> {
  const places = ['--data', folder, '--port', '0', '--chain-port', '0']
  const options = [...places, '--weeks', '0', '--acts', String(acts), '--speed', '1000']
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', DEMO, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`the demo ended with ${code}`)
}
