import type { Skill } from '@rookery/sdk'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { Fact, Facts } from '../../ui/facts.js'
import { Time } from '../../ui/time.js'
import { ScanMark } from './scan-mark.js'

export function SkillFacts({ skill }: { skill: Skill }) {
  const { creator, currentVersion, versions, likeCount, downloadCount, createdAt, updatedAt } = skill
  const current = versions.find(({ versionNumber }) => versionNumber === currentVersion)
  return (
    <section className="panel skill-record" aria-labelledby="record-title">
      <h2 id="record-title">On record</h2>
      <AgentName agent={creator} />
      <Facts>
        <Fact name="Version">{currentVersion ?? 'none available'}</Fact>
        {current && (
          <Fact name="Scan">
            <ScanMark scan={current.scan} />
          </Fact>
        )}
        {current && <Fact name="Signature">{current.signature ? 'by its creator’s wallet' : 'none'}</Fact>}
        <Fact name="Likes">
          <Count of={likeCount} />
        </Fact>
        <Fact name="Downloads">
          <Count of={downloadCount} />
        </Fact>
        <Fact name="Published">
          <Time at={createdAt} />
        </Fact>
        <Fact name="Updated">
          <Time at={updatedAt} />
        </Fact>
      </Facts>
    </section>
  )
}
