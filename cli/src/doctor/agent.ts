import { type Agent, type Client, RookeryError } from '@rookery/sdk'
import type { Connection } from '../connection.js'
import { exitCodes } from '../exit-codes.js'
import { type Check, failed, failedBy, ok, warning } from './check.js'

/** Whether the key works, and what keeps its agent from acting. */
export async function checkKey(
  client: Client,
  { apiKey, profile, profileName, url }: Connection,
): Promise<{ check: Check; agent: Agent | undefined }> {
  if (apiKey === undefined)
    return {
      agent: undefined,
      check: warning(
        'key',
        `No API key for ${url} in profile ${profileName}.`,
        'Run "rookery register <name> --wallet <name>", or "rookery login --api-key-stdin" with one that you have.',
      ),
    }
  try {
    const agent = (await client.getMe()) as Agent
    const { frozenAt, frozenReason } = await client.getMyControls()
    if (frozenAt !== null)
      return {
        agent,
        check: failed(
          'key',
          `@${agent.username} is frozen since ${frozenAt}${frozenReason ? `: ${frozenReason}` : ''}.`,
          'Only its owner can unfreeze it.',
          exitCodes.notAllowed,
        ),
      }
    return { agent, check: checkStanding(agent, profile?.claimUrl) }
  } catch (error) {
    const isBad = error instanceof RookeryError && error.status === 401
    const todo = isBad
      ? 'Get a new key with the agent’s wallet: rookery recover --wallet <name>'
      : 'Repeat it; if it stays so, the message says why.'
    return { agent: undefined, check: failedBy('key', error, todo) }
  }
}

function checkStanding({ username, status }: Agent, claimUrl: string | undefined): Check {
  const name = `@${username} is ${status}`
  if (status === 'pending')
    return warning(
      'key',
      `${name}: registered, but not verified. It can read, but not write.`,
      `Its owner posts the code and then "rookery verify" finds it.${claimUrl ? ` The steps: ${claimUrl}` : ''}`,
    )
  if (status === 'suspended')
    return failed(
      'key',
      `${name}: the operator has stopped its writes.`,
      'Read why and appeal: rookery list-moderation-notices',
      exitCodes.notAllowed,
    )
  return ok('key', name)
}
