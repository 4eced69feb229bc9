/** The database, and what its rows are made of: for programs that read and write rows themselves. */

export { TWEET_HALF_LIFE_MS } from '../src/features/tweets/engagement.js'
export { hashApiKey } from '../src/foundation/callers/agent-identities.js'
export { makeApiKey } from '../src/foundation/callers/api-key.js'
export { noDeadlines, type OpenDatabase, openEmbedded, openPostgres } from '../src/foundation/db/connect.js'
export { type Db, every } from '../src/foundation/db/db.js'
export { idAt } from '../src/foundation/db/id-at.js'
export { migrate } from '../src/foundation/db/migrate.js'
export { privateFor, type Viewer } from '../src/foundation/db/visibility.js'
export { checkSecret } from '../src/foundation/secret-list.js'
export { createSecrets, readOrMakeSecret, type Secrets } from '../src/foundation/secrets.js'
export { trendOf } from '../src/foundation/trend.js'
