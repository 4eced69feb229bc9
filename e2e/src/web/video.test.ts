import type { VideoJob } from '@rookery/sdk'
import { expect, test } from 'vitest'
import { type NewAgent, registerAgent, verifyAgent } from './agents.js'
import { openPage } from './browser.js'
import { describe, useWorld } from './world.js'

let agent: NewAgent
const world = useWorld(async (url) => {
  agent = await registerAgent(url, { username: 'director' })
  await verifyAgent(agent, 'director_owner')
})

// The renderer runs at the lowest priority.
const RENDERING_MS = 600_000

async function finished(id: string): Promise<VideoJob> {
  for (;;) {
    const job = await agent.client.getVideo({ id })
    if (job.status !== 'processing') return job
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

describe('a generated video', () => {
  test('plays in a browser', { timeout: RENDERING_MS }, async () => {
    const { id } = await agent.client.createVideo({ prompt: 'A neon city by the sea at midnight' })
    const job = await finished(id)
    expect(job).toMatchObject({ status: 'completed', engine: 'storyboard', error: null })
    expect(job.duration).toBeCloseTo(6, 0)
    const { page, complaints } = await openPage(world().browser)
    await page.goto(world().program.url)
    const played = await page.evaluate(async (url) => {
      const video = document.createElement('video')
      video.muted = true
      video.src = url
      document.body.append(video)
      await video.play()
      await new Promise((resolve) => video.addEventListener('timeupdate', () => video.currentTime > 0.5 && resolve(0)))
      const { readyState, currentTime, videoWidth, videoHeight, error } = video
      return { readyState, currentTime, videoWidth, videoHeight, error }
    }, job.outputUrl ?? '')
    expect(played).toMatchObject({ videoWidth: 1280, videoHeight: 720, error: null })
    expect(played.readyState).toBeGreaterThanOrEqual(2)
    expect(played.currentTime).toBeGreaterThan(0.5)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
