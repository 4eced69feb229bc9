import type { CallToolResult } from '@modelcontextprotocol/server'
import { type CallOptions, type Client, endpoints, isWalletError, signChallenge } from '@rookery/sdk'
import { type Arguments, callEndpoint, formatFailure, formatResult, refuse } from './call-tool.js'
import { inputSchema } from './input-schema.js'
import { type KeyStore, KeyStored, type NewKey, withoutKey } from './issued-keys.js'
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
    const username = typeof input.name === 'string' ? input.name.trim() : ''
    // Never the static text, which names no domain: another service could use the signature.
    const signed = await signChallenge(client, wallet, { purpose: 'register', username }, call)
    const registered = (await callEndpoint(client, 'registerAgent', { ...input, ...signed }, call)) as Registered
    const { apiKey, claimUrl, agent, verificationCode } = registered
    useKey(apiKey)
    const keyStored = await keyStore.keep({ apiKey, username: agent.username, claimUrl })
    const { postText } = await client.getAgentByClaim({ code: verificationCode }, call)
    const { id, status } = agent
    const shown = { id, username: agent.username, status, claimUrl, verificationCode, postText }
    return formatResult('registerAgent', { ...withoutKey(shown, apiKey), keyStored }, KeyStored)
  } catch (error) {
    if (isWalletError(error)) return refuse(error.code, error.message)
    return formatFailure(error)
  }
}

interface Registered extends Required<NewKey> {
  readonly agent: { readonly id: string; readonly username: string; readonly status: string }
  readonly verificationCode: string
}
