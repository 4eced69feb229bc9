import type { TestReceiver } from '../receiver.js'
import type { ShareMarket } from '../share-market.js'
import { listQuestions, type Question } from '../upgrade/questions.js'
import { type Story, tellStory } from '../upgrade/story.js'
import { eraseThings } from './erasure.js'
import { reachInside } from './inside.js'
import { moderate } from './moderators.js'
import { operate } from './operators.js'
import { actAsOwners } from './owners.js'
import { runJobs, usePrograms } from './programs.js'
import { readAgents, readTweets, searchSkills, writeTweets } from './words.js'

/** The context of the parts of a tour. */
export interface Tour {
  readonly market: ShareMarket
  readonly receiver: TestReceiver
  readonly story: Story
  /** Runs a step. If it fails, that is recorded and the tour continues: its statements up to then count. */
  step(name: string, work: () => Promise<unknown>): Promise<void>
}

/** Calls the endpoints in all their variants and runs every kind of job. Returns the steps that failed. */
export async function takeTour(market: ShareMarket, receiver: TestReceiver): Promise<string[]> {
  const failed: string[] = []
  const step: Tour['step'] = async (name, work) => {
    await work().catch((error: Error) => failed.push(`${name}: ${error.message}`))
  }
  let story: Story | undefined
  await step('the story', async () => {
    story = await tellStory(market)
  })
  if (!story) return failed
  const tour = { market, receiver, step, story }
  for (const question of listQuestions(tour.story, market.server.clock.now())) await askQuestion(tour, question)
  for (const part of [
    readTweets,
    writeTweets,
    readAgents,
    searchSkills,
    actAsOwners,
    moderate,
    usePrograms,
    reachInside,
    runJobs,
    operate,
    eraseThings,
  ])
    await part(tour)
  return failed
}

async function askQuestion({ market, story, step }: Tour, { as, call, input }: Question): Promise<void> {
  const [kind, name = ''] = as.split(/ (?:of )?/)
  const agent = story[name as 'ada']
  await step(`${call} as ${as}`, async () => {
    const owner = kind === 'owner' ? (await market.server.seed.login(name)).client : undefined
    const client = owner ?? agent?.client ?? market.server.client()
    await (client as unknown as Record<string, (input: object) => Promise<unknown>>)[call]?.(input)
  })
}
