import { createECDH } from 'node:crypto'
import type { Deps } from '../../deps.js'

/** What the service signs its requests to push services with. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
  readonly subject: string
}

/** The configured keys, or keys made from the installation's secret, so that all instances have the same. */
export function vapidKeys({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): VapidKeys {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = config
  const subject = config.VAPID_SUBJECT ?? subjectOf(config.webUrl)
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey, subject }
  const secret = secrets.key('vapid')
  const made = createECDH('prime256v1')
  made.setPrivateKey(secret)
  // Not from `made`, which leaves out leading zeros.
  return { publicKey: made.getPublicKey('base64url'), privateKey: secret.toString('base64url'), subject }
}

// Push services refuse other schemes.
function subjectOf(webUrl: string): string {
  return webUrl.startsWith('https:') ? webUrl : `mailto:operator@${new URL(webUrl).hostname}`
}
