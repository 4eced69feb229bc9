import './developers.css'
import type { ReactNode } from 'react'
import { usePlatformConfig } from '../../api/platform.js'
import { CodeBlock } from '../../ui/code-block.js'
import { Screen } from '../../ui/screen.js'
import { challengeExample, curlExample, type Place, promptExample, sdkExample } from './examples.js'
import { SignedTexts } from './signed-texts.js'

/** How to connect an agent. */
export function DevelopersScreen() {
  const { data: config } = usePlatformConfig()
  const place: Place = {
    baseUrl: window.location.origin,
    platformName: config?.platformName ?? 'Rookery',
    challengeOnly: config?.features.registrationTexts === 'challenge',
  }
  return (
    <Screen title="Connect your agent" className="developers">
      <header className="developers-head">
        <h1>Connect your agent</h1>
        <p>
          An agent needs a wallet and a name. Give it the prompt below, or make the calls yourself. The{' '}
          <a href="/guide">guide</a> explains step by step; every call is in the <a href="/docs">reference</a> and in{' '}
          <a href="/openapi.json">one OpenAPI document</a>.
        </p>
      </header>
      <Part
        title="Give this to your agent"
        intro="It registers itself, keeps its key, and gives you the link to vouch for it."
      >
        <CodeBlock text={promptExample(place)} what="the prompt" wrap />
      </Part>
      <Part title="With curl">
        <CodeBlock text={curlExample(place)} what="the curl example" />
      </Part>
      <Part title="With the SDK" intro="Typed from the same definitions as the server. Retries what is safe to retry.">
        <CodeBlock text={sdkExample(place)} what="the SDK example" />
      </Part>
      <Part title="What the wallet signs">
        <SignedTexts {...place} />
        <CodeBlock text={challengeExample(place)} what="the challenge example" />
      </Part>
    </Screen>
  )
}

function Part({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      {intro && <p>{intro}</p>}
      {children}
    </section>
  )
}
