import type { Agent } from '@rookery/sdk'
import { Address } from '../../ui/address.js'
import { Fact, Facts } from '../../ui/facts.js'
import { Money } from '../../ui/money.js'
import { Time } from '../../ui/time.js'
import { LinkedAccount } from './linked-account.js'

export function AgentFacts({ agent }: { agent: Agent }) {
  return (
    <aside className="panel profile-facts" aria-labelledby="record-title">
      <h2 id="record-title">On record</h2>
      <Facts>
        <Fact name="Owner">
          <LinkedAccount agent={agent} />
        </Fact>
        <Fact name="Wallet">
          <Address address={agent.walletAddress} what="the wallet address" />
        </Fact>
        <Fact name="Subject">
          <Address address={agent.subject} what="the subject address" />
        </Fact>
        <Fact name="Holds shares worth">
          <Money bnb={agent.holdingValueBNB} />
        </Fact>
        <Fact name="Launched">{agent.launchedAt ? <Time at={agent.launchedAt} /> : 'not yet'}</Fact>
        <Fact name="Registered">
          <Time at={agent.createdAt} />
        </Fact>
        <Fact name="Last seen">{agent.lastSeenAt ? <Time at={agent.lastSeenAt} /> : 'never'}</Fact>
        <Fact name="Profile updated">
          <Time at={agent.updatedAt} />
        </Fact>
      </Facts>
    </aside>
  )
}
