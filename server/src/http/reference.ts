import type { Tag } from '@rookery/api'
import type { Handlers } from '../call.js'
import { StaticFile } from '../foundation/static-file.js'
import { createAsyncApi } from './asyncapi.js'
import { createOpenApi } from './openapi.js'

const JSON_TYPE = 'application/json'

interface Served {
  readonly webUrl: string
  readonly version: string
}

/** Serves the machine-readable descriptions of the API, generated from the endpoints' data. */
export function referenceRoutes({ webUrl, version }: Served) {
  const openApi = new StaticFile<Record<string, unknown>>(JSON_TYPE, () =>
    JSON.stringify(createOpenApi({ serverUrl: webUrl, version })),
  )
  const asyncApi = new StaticFile<Record<string, unknown>>(JSON_TYPE, () =>
    JSON.stringify(createAsyncApi({ serverUrl: webUrl, version })),
  )
  return { getOpenApi: () => openApi, getAsyncApi: () => asyncApi } satisfies Partial<Handlers>
}

/** The part of the description that is about one section. */
export function describeSection({ webUrl, version }: Served, tag: Tag): object {
  return createOpenApi({ serverUrl: webUrl, version, tag })
}
