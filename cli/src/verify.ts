import type { Client } from '@rookery/sdk'
import { type Command, Option } from 'commander'
import { claimTokenOf } from './claim.js'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { UsageError } from './failures.js'
import { show } from './output.js'
import type { Terminal } from './terminal.js'

interface VerifyOptions {
  readonly tweetUrl?: string
  readonly claimUrl?: string
  readonly postAs?: string
}

/** Adds `verify`, which finds the owner's post and activates the agent. */
export function addVerifyCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('verify')
    .description('Verify the agent by its owner’s post')
    .option('--tweet-url <url>', 'The post. Without it, the social network is searched.')
    .option('--claim-url <url>', 'Claim URL of the agent. Default: the agent of the profile.')
    .addOption(
      new Option('--post-as <handle>', 'Publish the post as this account first; on the local network only.').conflicts(
        'tweetUrl',
      ),
    )
  addCommonOptions(command).action(() => runVerify(terminal, command))
}

async function runVerify(terminal: Terminal, command: Command): Promise<void> {
  const { tweetUrl, claimUrl: given, postAs } = command.opts<VerifyOptions>()
  const { output, ...common } = commonOptionsOf(command)
  const connection = resolveConnection(terminal.env, common)
  const { profile, apiKey } = connection
  const claimUrl = given ?? (profile?.apiKey === apiKey ? profile?.claimUrl : undefined)
  const client = clientFor(connection, given === undefined ? 'agent' : 'none')
  const post = postAs === undefined ? tweetUrl : await publishLocally(client, postAs, claimUrl)
  const agent = await client.verifyAgent({
    ...(post !== undefined && { tweetUrl: post }),
    ...(given !== undefined && { verifyToken: claimTokenOf(given) }),
  })
  show(terminal, agent, output)
}

/** Posts the verification text as an account of the local social network. */
export async function publishLocally(client: Client, handle: string, claimUrl: string | undefined): Promise<string> {
  const { features } = await client.getConfig()
  if (features.socialNetwork !== 'local')
    throw new UsageError('This server reads a real social network. Post there, and pass the post as --tweet-url.')
  if (claimUrl === undefined) throw new UsageError('Pass --claim-url: the profile does not have it.')
  const { postText } = await client.getAgentByClaim({ code: claimTokenOf(claimUrl) })
  const { url } = await client.createLocalPost({ handle, text: postText })
  return url
}
