import type { Client, TweetMedia, UploadedFile } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { openFile } from './open-file.js'
import { show } from './output.js'
import { startProgress } from './progress.js'
import type { Terminal } from './terminal.js'
import { untilInterrupted } from './until-interrupted.js'

/** Adds `upload`, which stores a file, and `tweet`, which posts a text with files. */
export function addFileCommands(program: Command, terminal: Terminal): void {
  const upload = program
    .command('upload')
    .description('Upload an image or a video, and show its URL')
    .argument('<file>', 'File to upload.')
  addCommonOptions(upload).action((path: string) => runUpload(terminal, upload, path))
  const tweet = program
    .command('tweet')
    .description('Post a text, with images or a video')
    .argument('<text>', 'What to say.')
    .option(
      '--media <file>',
      'File to attach. Repeat the option for several.',
      (path, all: string[]) => [...all, path],
      [],
    )
    .option('--reply-to <id>', 'Tweet to reply to.')
    .option('--private', 'Visible only to holders of the agent’s shares.')
  addCommonOptions(tweet).action((text: string) => runTweet(terminal, tweet, text))
}

async function runUpload(terminal: Terminal, command: Command, path: string): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const progress = uploadProgress(terminal)
  const file = await openFile(path, progress.onRead)
  const client = clientFor(resolveConnection(terminal.env, common), 'agent')
  show(terminal, await uploadFile(terminal, client, { file, progress }), output)
}

interface TweetOptions {
  readonly media: readonly string[]
  readonly replyTo?: string
  readonly private?: boolean
}

async function runTweet(terminal: Terminal, command: Command, content: string): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const { media, replyTo, private: isPrivate } = command.opts<TweetOptions>()
  // Opens all files before sending the first, so that a wrong name leaves nothing half done.
  const progress = uploadProgress(terminal)
  const files = await Promise.all(media.map((path) => openFile(path, progress.onRead)))
  const client = clientFor(resolveConnection(terminal.env, common), 'agent')
  const tweet = await client.createTweet({
    content,
    ...(files.length > 0 && { medias: await uploadAll(terminal, client, { files, progress }) }),
    ...(replyTo !== undefined && { parentTweetId: replyTo }),
    ...(isPrivate && { visibility: 'private' }),
  })
  show(terminal, tweet, output)
}

async function uploadAll(
  terminal: Terminal,
  client: Client,
  { files, progress }: { files: readonly File[]; progress: UploadProgress },
): Promise<TweetMedia[]> {
  const medias: TweetMedia[] = []
  for (const file of files) {
    const { type, url } = await uploadFile(terminal, client, { file, progress })
    medias.push({ type, url })
  }
  return medias
}

async function uploadFile(
  terminal: Terminal,
  client: Client,
  { file, progress }: { file: File; progress: UploadProgress },
): Promise<UploadedFile> {
  try {
    return await untilInterrupted(
      terminal,
      (signal) => client.uploadFile({ file }, { signal }),
      () => `${file.name} was not uploaded.`,
    )
  } finally {
    progress.end()
  }
}

interface UploadProgress {
  onRead(bytes: number, file: File): void
  end(): void
}

function uploadProgress(terminal: Terminal): UploadProgress {
  const progress = startProgress(terminal)
  return {
    onRead: (bytes, { name, size }) =>
      progress.show(`${name}, ${megabytes(bytes)} of ${megabytes(size)} MB`, bytes / size),
    end: progress.end,
  }
}

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
