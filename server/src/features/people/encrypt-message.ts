import webPush from 'web-push'
import type { Deps } from '../../deps.js'
import { vapidKeys } from './vapid.js'

/** Where and for whom a browser receives messages, as its PushManager says. */
export interface Browser {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** What a browser shows, and the page that it opens. Messages of the same tag replace each other. */
export interface Message {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
}

const KEPT_SECONDS = 24 * 60 * 60

/** Encrypts a message so that only the browser can read it, and signs the request to its push service. */
export function encryptMessage(
  deps: Pick<Deps, 'config' | 'secrets'>,
  browser: Browser,
  message: Message,
): { headers: Record<string, string>; body: Buffer } {
  const { headers, body } = webPush.generateRequestDetails(browser, JSON.stringify(message), {
    vapidDetails: vapidKeys(deps),
    TTL: KEPT_SECONDS,
    contentEncoding: 'aes128gcm',
  })
  return { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), body }
}
