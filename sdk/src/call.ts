import type { CallName, Media, Method } from '@rookery/api'

/** What a client needs of an endpoint to call it. The shapes of input and answer are types alone, so no schema is loaded. */
export interface Call {
  readonly name: CallName
  readonly method: Method
  /** Path with `:name` for each member of the input that belongs there. */
  readonly path: `/${string}`
  /** Members of the input that belong into the query. */
  readonly query?: readonly string[]
  /** Members of the input that belong into the body; undefined when there is no body. */
  readonly body?: readonly string[]
  /** The body is a multipart form instead of JSON. */
  readonly multipart?: true
  /** What it answers with, if not JSON. */
  readonly media?: Media
  /** The session is in cookies, so a repeated write would not get the same answer. */
  readonly auth?: 'browser'
}
