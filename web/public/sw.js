// Shows messages of the service and opens their page. It has no fetch handler and keeps nothing: pages come from the
// service, each time for who reads them.
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const message = readMessage(event.data)
  event.waitUntil(
    self.registration.showNotification(message.title, {
      body: message.body,
      tag: message.tag,
      icon: '/favicon.svg',
      data: { url: message.url },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.url))
})

function readMessage(data) {
  try {
    const { title, body = '', tag = '', url = '/alerts' } = data.json()
    if (typeof title === 'string') return { title, body, tag, url }
  } catch {
    // A browser has to show something for every message.
  }
  return { title: 'Something is new', body: '', tag: '', url: '/alerts' }
}

async function openPage(path) {
  const url = new URL(typeof path === 'string' ? path : '/alerts', self.location.origin)
  if (url.origin !== self.location.origin) return
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => page.url === url.href)
  await (open ? open.focus() : self.clients.openWindow(url.href))
}
