import { createClient } from '@rookery/sdk'

/** The service this page came from. The query client decides what is tried again, so the SDK tries once. */
export const rookery = createClient({ baseUrl: window.location.origin, attempts: 1 })
