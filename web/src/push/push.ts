import { asOwner } from '../api/session.js'

/** Whether this browser shows messages of the service: it does, it could, the person forbade it, or it cannot. */
export type PushState = 'on' | 'off' | 'denied' | 'unsupported'

// The id of the subscription, by which it is removed again.
const KEPT = 'rookery-push'

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Reads what the browser says, and tells the service again: it forgets browsers that did not answer for long. */
export async function readPush(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription || Notification.permission !== 'granted') return 'off'
  await tellService(subscription)
  return 'on'
}

/** Asks the person, subscribes this browser, and tells the service. */
export async function turnOn(publicKey: string): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  await navigator.serviceWorker.register('/sw.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  await tellService(subscription)
  return 'on'
}

/** Unsubscribes this browser, and tells the service if somebody is signed in. */
export async function turnOff(): Promise<PushState> {
  const id = localStorage.getItem(KEPT)
  localStorage.removeItem(KEPT)
  const registration = await navigator.serviceWorker.getRegistration('/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  // Without this the service finds out with the next message.
  if (id) await asOwner((client) => client.deletePushSubscription({ id })).catch(() => {})
  return 'off'
}

async function tellService(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  const asked = { endpoint: endpoint ?? '', keys: { p256dh, auth } }
  const { id } = await asOwner((client) => client.createPushSubscription(asked))
  localStorage.setItem(KEPT, id)
}
