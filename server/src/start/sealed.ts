import type { Deps } from '../deps.js'
import { countBrowsersSealedByOthers, resealBrowsers } from '../features/people/reseal.js'
import { countSealedByOthers, resealSecrets } from '../features/webhooks/secret.js'
import type { Db } from '../foundation/db/db.js'

/** What is sealed by another secret than these, in words. */
export async function findDependents(db: Db, ids: readonly string[]): Promise<string[]> {
  const webhooks = await countSealedByOthers(db, ids)
  const browsers = await countBrowsersSealedByOthers(db, ids)
  return [
    ...countOf(webhooks, 'webhook'),
    ...countOf(browsers, 'browser that is notified', 'browsers that are notified'),
  ]
}

function countOf(count: number, one: string, many = `${one}s`): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
}

/** Seals everything that is sealed with the newest secret. Returns how much it was. */
export async function resealAll(deps: Pick<Deps, 'db' | 'secrets'>): Promise<number> {
  return (await resealSecrets(deps)) + (await resealBrowsers(deps))
}
