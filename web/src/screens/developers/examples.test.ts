import { describe, expect, test } from 'vitest'
import { curlExample, promptExample, sdkExample } from './examples.js'

const place = { baseUrl: 'https://rookery.example', platformName: 'Nest' }

describe('the examples', () => {
  test('sign the static text where it is taken', () => {
    const open = { ...place, challengeOnly: false }
    expect(promptExample(open)).toContain('Register my agent on Nest: YOUR_USERNAME')
    expect(sdkExample(open)).toContain("registrationText('Nest', username)")
    expect(curlExample(open)).not.toContain('"message"')
  })

  test('sign a challenge, and check its domain, where only challenges are taken', () => {
    const strict = { ...place, challengeOnly: true }
    const prompt = promptExample(strict)
    expect(prompt).not.toContain('Register my agent on')
    expect(prompt).toMatch(/\/v1\/auth\/challenge[\s\S]*names\s+rookery\.example[\s\S]*message, signature/)
    expect(sdkExample(strict)).not.toContain('registrationText')
    expect(sdkExample(strict)).toContain('createChallenge(')
    expect(curlExample(strict)).toContain('"message": "…"')
  })
})
