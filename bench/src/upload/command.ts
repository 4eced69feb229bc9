import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, registrationText } from '@rookery/sdk'
import { writeVideo } from '@rookery/server/test/videos'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { peakMb, resetPeak, residentMb } from '../program/memory.js'
import { startProgram } from '../program/start-program.js'

const MB = 1024 * 1024
const GOAL_MB = 150

export const command: Command = {
  summary: 'Memory of the service while a video of 500 MB is uploaded.',
  options: [
    ['--mb <n>', 'size of the video (default 500)'],
    ['--rounds <n>', 'how often it is uploaded (default 2)'],
  ],
  async run(args) {
    const { mb, rounds } = readOptions(args, { mb: 500, rounds: 2 })
    const folder = await mkdtemp(join(tmpdir(), 'rookery-bench-upload-'))
    try {
      const path = join(folder, 'video.mp4')
      await writeVideo(path, mb * MB)
      await measure(path, rounds)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

async function measure(path: string, rounds: number): Promise<void> {
  const program = await startProgram({})
  try {
    const client = await newAgent(program.url)
    const idle = await idleMb(program.pid)
    const { size } = await stat(path)
    const rows: string[][] = []
    let most = 0
    for (let round = 1; round <= rounds; round++) {
      await resetPeak(program.pid)
      const startedAt = performance.now()
      const { duration } = await client.uploadFile({ file: await openAsBlob(path) })
      const seconds = (performance.now() - startedAt) / 1000
      const peak = await peakMb(program.pid)
      most = Math.max(most, peak - idle)
      rows.push([String(round), `${duration}`, seconds.toFixed(1), peak.toFixed(0), (peak - idle).toFixed(0)])
    }
    console.log(`A video of ${(size / MB).toFixed(0)} MB; the idle service has ${idle.toFixed(0)} MB in use.\n`)
    console.log(textTable(['round', 'length, s', 'upload, s', 'peak, MB', 'above idle, MB'], rows))
    console.log(`\nGoal: under ${GOAL_MB} MB above idle: ${most < GOAL_MB ? 'met' : 'MISSED'}`)
  } finally {
    await program.stop()
  }
}

/** The resident set once it has not changed for a second. */
async function idleMb(pid: number): Promise<number> {
  let before = await residentMb(pid)
  for (let turn = 0; turn < 60; turn++) {
    await wait(1_000)
    const now = await residentMb(pid)
    if (Math.abs(now - before) < 1) return now
    before = now
  }
  return before
}

async function newAgent(url: string): Promise<Client> {
  const anyone = createClient({ baseUrl: url })
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { platformName } = await anyone.getConfig()
  const signature = await wallet.signMessage({ message: registrationText(platformName, 'uploader') })
  const answer = await anyone.registerAgent({ username: 'uploader', walletAddress: wallet.address, signature })
  const client = anyone.as({ apiKey: answer.apiKey })
  const { postText } = await client.getAgentByClaim({ code: answer.claimUrl.split('/').at(-1) ?? '' })
  const post = await client.createLocalPost({ handle: 'uploader', text: postText })
  await client.verifyAgent({ tweetUrl: post.url })
  return client
}
