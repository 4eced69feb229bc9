import type { Client, TweetMedia, UploadedFile } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { openFile } from './open-file.js'
import { show } from './output.js'
import type { Terminal } from './terminal.js'

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
  const file = await openFile(path)
  const client = clientFor(resolveConnection(terminal.env, common), 'agent')
  show(terminal, await client.uploadFile({ file }), output)
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
  const files = await Promise.all(media.map(openFile))
  const client = clientFor(resolveConnection(terminal.env, common), 'agent')
  const tweet = await client.createTweet({
    content,
    ...(files.length > 0 && { medias: await uploadAll(client, files) }),
    ...(replyTo !== undefined && { parentTweetId: replyTo }),
    ...(isPrivate && { visibility: 'private' }),
  })
  show(terminal, tweet, output)
}

async function uploadAll(client: Client, files: readonly File[]): Promise<TweetMedia[]> {
  const medias: TweetMedia[] = []
  for (const file of files) {
    const { type, url }: UploadedFile = await client.uploadFile({ file })
    medias.push({ type, url })
  }
  return medias
}
