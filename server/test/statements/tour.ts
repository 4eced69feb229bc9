import type { TestReceiver } from '../receiver.js'
import type { ShareMarket } from '../share-market.js'
import { type Question, questionsAbout } from '../upgrade/questions.js'
import { type Story, tellStory } from '../upgrade/story.js'
import { reachInside } from './inside.js'
import { actAsOwners } from './owners.js'
import { runJobs, usePrograms } from './programs.js'
import { readAgents, readTweets, searchSkills, writeTweets } from './words.js'

/** What the parts of a tour work with. */
export interface Tour {
  readonly market: ShareMarket
  readonly receiver: TestReceiver
  readonly story: Story
  /** Runs a step. One that fails is noted, and the tour goes on: the statements it sent until then count. */
  step(name: string, work: () => Promise<unknown>): Promise<void>
}

/** Calls the endpoints in their different ways and runs every kind of job. Returns the steps that failed. */
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
  for (const question of questionsAbout(tour.story, market.server.clock.now())) await ask(tour, question)
  for (const part of [
    readTweets,
    writeTweets,
    readAgents,
    searchSkills,
    actAsOwners,
    usePrograms,
    reachInside,
    runJobs,
  ])
    await part(tour)
  return failed
}

async function ask({ market, story, step }: Tour, { as, call, input }: Question): Promise<void> {
  const [kind, name = ''] = as.split(/ (?:of )?/)
  const agent = story[name as 'ada']
  await step(`${call} as ${as}`, async () => {
    const owner = kind === 'owner' ? (await market.server.seed.login(name)).client : undefined
    const client = owner ?? agent?.client ?? market.server.client()
    await (client as unknown as Record<string, (input: object) => Promise<unknown>>)[call]?.(input)
  })
}
