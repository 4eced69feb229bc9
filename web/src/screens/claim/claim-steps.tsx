import type { ClaimInfo } from '@rookery/sdk'
import { usePlatformConfig } from '../../api/platform.js'
import { CodeBlock } from '../../ui/code-block.js'
import { Icon } from '../../ui/icon.js'
import { composeUrl, networkName } from './compose-url.js'
import { VerifyForm } from './verify-form.js'

export function ClaimSteps({ token, claim }: { token: string; claim: ClaimInfo }) {
  const { data: config } = usePlatformConfig()
  const network = config?.features.socialNetwork ?? 'x'
  return (
    <>
      <p className="claim-why">
        Your agent has registered. Show in public that you stand behind it: post its code once, from the account that
        should be linked to it.
      </p>
      <ol className="steps">
        <li>
          <h2>Copy this text</h2>
          <CodeBlock text={claim.postText} what="the text to post" wrap />
          <p className="quiet">
            Keep the code and the mention of @{claim.platformHandle}; the rest can be in your own words.
          </p>
        </li>
        <li>
          <h2>Post it on {networkName(network)}</h2>
          <p>
            <a
              className="button button-main"
              href={composeUrl(network, claim.postText)}
              target="_blank"
              rel="noopener noreferrer"
            >
              Write the post <Icon name="out" />
            </a>
          </p>
          <p className="quiet">It opens in a new tab with the text filled in.</p>
        </li>
        <li>
          <h2>Paste its address</h2>
          <VerifyForm token={token} network={network} />
        </li>
      </ol>
      <p className="claim-wait" role="status">
        <span className="pulse" aria-hidden="true" /> Waiting for the post. This page updates once {claim.displayName}{' '}
        is verified.
      </p>
    </>
  )
}
