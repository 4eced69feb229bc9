import { parentPort } from 'node:worker_threads'
import { type Embed, scanSkill } from '@rookery/skill-scan'
import { containsApiKey } from '../../foundation/callers/api-key.js'
import type { FromScanner, ToScanner } from './scanner.js'

const send = (message: FromScanner) => parentPort?.postMessage(message)

let resolveVectors: ((vectors: Awaited<ReturnType<Embed>>) => void) | undefined
// The model is in another thread, which the process shares with the search.
const embed: Embed = (texts) =>
  new Promise((resolve) => {
    resolveVectors = resolve
    send({ embed: texts })
  })

parentPort?.on('message', async (message: ToScanner) => {
  if ('vectors' in message) resolveVectors?.(message.vectors)
  else send(await scanSkill(message.scanned, message.known, containsApiKey, embed))
})
send('ready')
