// npm run dev: the service from its source, restarted on changes, and the page, which reloads itself.
import './check-install.mjs'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const port = process.env.PORT || '3000'
const page = 'http://localhost:5173'

// Links from the service point to the page that reloads.
const service = ['node_modules/tsx/dist/cli.mjs', 'watch', '--conditions=source', 'server/src/main.ts']
const vite = ['node_modules/vite/bin/vite.js', 'web', '--config', 'web/vite.config.ts', '--strictPort']
const programs = [run(service, { WEB_URL: page }), run(vite, { ROOKERY_URL: `http://localhost:${port}` })]

function run(args, env) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }
  return spawn(process.execPath, args, options).once('exit', (code) => {
    process.exitCode = process.exitCode || (code === null ? 1 : code)
    // Neither is useful without the other.
    for (const other of programs) other.kill()
  })
}

// Ctrl-C reaches both directly; this process waits until they have stopped.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  for (const program of programs) program.kill()
})
