import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A server for comparison that answers with prepared bytes: GET /300 returns 300 of them. */
export interface BareServer {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const file = fileURLToPath(new URL('bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await ended
    },
  }
}
