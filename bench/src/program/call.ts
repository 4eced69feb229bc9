/** Calls the service with an agent's key and returns the answer; throws on anything but success. */
export async function call<Answer>(
  url: string,
  apiKey: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Runs something and returns how many milliseconds it took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
