import { createClient } from '@rookery/sdk'

/** The service that served this page. The query client decides about retries, so the SDK tries once. */
export const rookery = createClient({ baseUrl: window.location.origin, attempts: 1 })
