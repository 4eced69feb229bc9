import { parentPort } from 'node:worker_threads'
import { scanSkill } from '@rookery/skill-scan'
import { containsApiKey } from '../../foundation/callers/api-key.js'
import type { FromScanner, ToScanner } from './scanner.js'

const send = (message: FromScanner) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ scanned, known }: ToScanner) =>
  send(await scanSkill(scanned, known, containsApiKey)),
)
send('ready')
