import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNginx } from '@rookery/tooling/find-programs'

const CONFIGURATION = fileURLToPath(new URL('../../deploy/compose/nginx.conf', import.meta.url))
// Newer than the nginx of Debian 12; addresses need no resolver.
const RESOLVE = / resolve(?= )/g

/** Starts nginx as compose.yaml does, in front of the web instances with these URLs. */
export async function startProxy(folder: string, web: readonly string[]) {
  const port = await findPort()
  const places = web.map((url) => new URL(url).host)
  const text = (await readFile(CONFIGURATION, 'utf8')).replaceAll(RESOLVE, '')
  const server = text
    .replace(/web-(\d):3000/g, (_, number: string) => places[Number(number) - 1] ?? '')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`)
  const http = ['access_log off;', ...temporary, server].join('\n')
  const file = join(folder, 'nginx.conf')
  await writeFile(file, `daemon off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http}\n}\n`)
  const nginx = spawn(findNginx() ?? 'nginx', ['-e', 'stderr', '-p', folder, '-c', file], {
    stdio: 'ignore',
  })
  const ended = once(nginx, 'exit')
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    isAnswering: () =>
      fetch(`${url}/metrics`)
        .then(({ status }) => status === 404)
        .catch(() => false),
    async stop() {
      nginx.kill('SIGTERM')
      await ended
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}
