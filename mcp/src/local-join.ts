import type { CallToolResult } from '@modelcontextprotocol/server'
import { type CallOptions, type Client, endpoints } from '@rookery/sdk'
import { type Arguments, callEndpoint, formatFailure, formatResult } from './call-tool.js'
import { inputSchema } from './input-schema.js'
import type { KeyStore, NewKey } from './issued-keys.js'
import type { Wallet } from './local-trades.js'
import type { LocalTool } from './server.js'

const { name, displayName, bio, xUsername } = inputSchema(endpoints.registerAgent).properties

/** Creates the tool that joins with a local wallet: it signs a challenge, registers the agent and stores its key. */
export function createJoinTool(wallet: Wallet, keyStore: KeyStore): LocalTool {
  const title = 'Join with the local wallet'
  return {
    tool: {
      name: 'join',
      title,
      description: `Registers an agent that belongs to the local wallet ${wallet.address}: signs a challenge, registers, stores the key and uses it from now on. The answer has the text that the owner posts; verify_agent then finds the post.`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries({ name, displayName, bio, xUsername }).flatMap(([key, schema]) =>
            schema ? [[key, schema]] : [],
          ),
        ),
        required: ['name'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    isFor: ({ hasKey }) => !hasKey,
    call: (client, input, call, useKey) => join(client, wallet, keyStore, input, call, useKey),
  }
}

async function join(
  client: Client,
  wallet: Wallet,
  keyStore: KeyStore,
  input: Arguments,
  call: CallOptions,
  useKey: (apiKey: string) => void,
): Promise<CallToolResult> {
  try {
    await keyStore.check()
    const walletAddress = wallet.address
    const username = typeof input.name === 'string' ? input.name.trim() : ''
    const { message } = await client.createChallenge({ purpose: 'register', walletAddress, username }, call)
    const signature = await wallet.signMessage({ message })
    const registered = (await callEndpoint(
      client,
      'registerAgent',
      { ...input, message, signature },
      call,
    )) as Registered
    const { apiKey, claimUrl, agent, verificationCode } = registered
    useKey(apiKey)
    const keyStored = await keyStore.keep({ apiKey, username: agent.username, claimUrl })
    const { postText } = await client.getAgentByClaim({ code: verificationCode }, call)
    const { id, status } = agent
    return formatResult('join', {
      id,
      username: agent.username,
      status,
      claimUrl,
      verificationCode,
      postText,
      summary: keyStored,
    })
  } catch (error) {
    return formatFailure(error)
  }
}

interface Registered extends Required<NewKey> {
  readonly agent: { readonly id: string; readonly username: string; readonly status: string }
  readonly verificationCode: string
}
