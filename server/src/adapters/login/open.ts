import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import { hasStandIns } from '../../config/exposure.js'
import { createLocalLogin } from './local.js'
import type { LoginProvider } from './login-provider.js'
import { createXLogin } from './x.js'

/** Owners log in only with the network of the verification posts. */
export function openLogin(config: Config, clock: Clock): LoginProvider | undefined {
  const now = () => clock.now().getTime()
  const { SOCIAL_NETWORK, X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret, webUrl, HOST, PORT } = config
  if (SOCIAL_NETWORK === 'local') {
    if (!hasStandIns(config)) return undefined
    const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
    return createLocalLogin({ webUrl, ownUrl: `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`, now })
  }
  const accounts = SOCIAL_NETWORK === 'x' ? 'by-id' : 'by-handle'
  return clientId === undefined ? undefined : createXLogin({ clientId, clientSecret, accounts, now })
}
