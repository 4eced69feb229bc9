import { subjectAddress } from '@rookery/contracts/subject'
import type { Address } from 'viem'
import type { Client } from './client.js'
import { expectSame, mismatch } from './wallet-error.js'

/** An agent whose subject follows from its name and wallet. */
export interface Subject {
  readonly id: string
  readonly username: string
  readonly subject: Address
  /** The wallet of the agent's owner. */
  readonly owner: Address
}

/** Finds the address that stands for an agent in the contract, and derives it again to be sure. */
export async function findSubject(client: Client, agent: string): Promise<Subject> {
  const { id, username, subject, walletAddress: owner } = await client.getAgent({ identifier: agent })
  const asked = agent.toLowerCase()
  if (asked !== 'me' && ![id, username, subject, owner].some((name) => name.toLowerCase() === asked))
    throw mismatch('the agent', agent, `@${username}`)
  expectSame('the subject of the agent', subjectAddress(owner, username), subject)
  return { id, username, subject, owner }
}
