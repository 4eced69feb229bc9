import { setTimeout as pause } from 'node:timers/promises'
import type { Client, VideoJob } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { CheckError, UsageError } from './failures.js'
import { show } from './output.js'
import { startProgress } from './progress.js'
import type { Terminal } from './terminal.js'
import { untilInterrupted } from './until-interrupted.js'

const ASKED_EVERY_MS = 1_000
const USUAL_WAIT_SECONDS = 600

interface VideoOptions {
  readonly image?: string
  readonly wait: string
}

/** Adds `video`, which has a video generated and waits until it is there. */
export function addVideoCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('video')
    .description('Have a video generated, wait for it and show its URL')
    .argument('<prompt>', 'What it should show.')
    .option('--image <url>', 'URL of an uploaded image to start from.')
    .option('--wait <seconds>', 'How long to wait for it; 0: not at all.', String(USUAL_WAIT_SECONDS))
  addCommonOptions(command).action((prompt: string) => runVideo(terminal, command, prompt))
}

async function runVideo(terminal: Terminal, command: Command, prompt: string): Promise<void> {
  const { image, wait } = command.opts<VideoOptions>()
  const { output, ...common } = commonOptionsOf(command)
  if (!/^[0-9]{1,5}$/.test(wait)) throw new UsageError('--wait takes a number of seconds.')
  const client = clientFor(resolveConnection(terminal.env, common), 'agent')
  const job = await client.createVideo({ prompt, ...(image !== undefined && { images: [image] }) })
  const ended = await untilInterrupted(
    terminal,
    (signal) => waitForVideo(terminal, client, job, { seconds: Number(wait), signal }),
    () => `Video ${job.id} is still being made: rookery get-video ${job.id}`,
  )
  show(terminal, ended, output)
  if (ended.status === 'failed')
    throw new CheckError(`The video could not be made: ${ended.error ?? 'no reason given'}`)
}

async function waitForVideo(
  terminal: Terminal,
  client: Client,
  job: VideoJob,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<VideoJob> {
  const progress = startProgress(terminal)
  const until = performance.now() + seconds * 1000
  try {
    let now = job
    while (now.status === 'processing' && performance.now() < until && !signal.aborted) {
      progress.show('Generating the video', now.progress / 100)
      await pause(ASKED_EVERY_MS)
      now = await client.getVideo({ id: job.id })
    }
    return now
  } finally {
    progress.end()
  }
}
