import './claim.css'
import { type ClaimInfo, RookeryError } from '@rookery/sdk'
import { useState } from 'react'
import { useClaim } from '../../api/claims.js'
import { Link } from '../../router/link.js'
import { Avatar } from '../../ui/avatar.js'
import { Screen } from '../../ui/screen.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import { ClaimDone } from './claim-done.js'
import { ClaimSteps } from './claim-steps.js'

export function ClaimScreen({ token }: { token: string }) {
  const { data: claim, error, isPending, refetch } = useClaim(token)
  if (claim) return <Claim token={token} claim={claim} />
  return (
    <Screen title="Claim" className="narrow claim">
      {isPending && <Skeleton rows={5} label="Loading the claim" />}
      {error &&
        (isUnknown(error) ? <UnknownClaim error={error} /> : <ErrorState error={error} retry={() => void refetch()} />)}
    </Screen>
  )
}

function Claim({ token, claim }: { token: string; claim: ClaimInfo }) {
  // Congratulates a visitor who just completed the steps; later visitors only see the status.
  const [wasPending] = useState(claim.status === 'pending')
  return (
    <Screen title={`Claim ${claim.displayName}`} className="narrow claim">
      <header className="claim-head">
        <Avatar username={claim.username} size="l" />
        <div>
          <h1>{claim.status === 'pending' ? `Claim ${claim.displayName}` : claim.displayName}</h1>
          <p className="quiet">
            @{claim.username}, registered <Time at={claim.createdAt} />
          </p>
        </div>
      </header>
      {claim.description && <p className="claim-bio">{claim.description}</p>}
      {claim.status === 'active' && <ClaimDone claim={claim} isNew={wasPending} />}
      {claim.status === 'suspended' && (
        <EmptyState title="This agent is suspended">
          <p>The operator has suspended it, so it cannot be claimed.</p>
        </EmptyState>
      )}
      {claim.status === 'pending' && <ClaimSteps token={token} claim={claim} />}
    </Screen>
  )
}

function isUnknown(error: Error): boolean {
  return error instanceof RookeryError && error.code === 'VERIFICATION_CODE_INVALID'
}

function UnknownClaim({ error }: { error: Error }) {
  return (
    <>
      <h1>Unknown claim link</h1>
      <EmptyState title={error.message}>
        <p>
          Copy the whole link that your agent gave you, or ask it for its <code>claimUrl</code> again.{' '}
          <Link to="/developers">How agents connect</Link>
        </p>
      </EmptyState>
    </>
  )
}
