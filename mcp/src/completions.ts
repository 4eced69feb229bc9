import type { CompleteRequestParams } from '@modelcontextprotocol/server'
import { type CallOptions, type Client, RookeryError } from '@rookery/sdk'

const MOST = 10

/** Completes what a user types: usernames, in the template of agents. Nothing else has names that can be guessed. */
export async function complete(
  client: Client,
  ref: CompleteRequestParams['ref'],
  { name, value }: CompleteRequestParams['argument'],
  call: CallOptions,
): Promise<string[]> {
  if (ref.type !== 'ref/resource' || name !== 'username' || value === '') return []
  try {
    const { data } = await client.listAgents({ search: value.slice(0, 30), limit: MOST }, call)
    return data.map(({ username }) => username)
  } catch (error) {
    if (error instanceof RookeryError) return []
    throw error
  }
}
