import { parentPort } from 'node:worker_threads'
import { scanSkill } from '@rookery/skill-scan'
import { containsApiKey } from '../../foundation/callers/api-key.js'
import type { FromScanner, ToScanner } from './scanner.js'

const say = (message: FromScanner) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ scanned, known }: ToScanner) => say(await scanSkill(scanned, known, containsApiKey)))
say('ready')
