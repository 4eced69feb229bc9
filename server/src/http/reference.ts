import type { Handlers } from '../call.js'
import { createAsyncApi } from './asyncapi.js'
import { createOpenApi } from './openapi.js'

/** Serves the machine-readable descriptions of the API, generated from the endpoints' data. */
export function referenceRoutes({ webUrl, version }: { readonly webUrl: string; readonly version: string }) {
  const openApi = createOpenApi({ serverUrl: webUrl, version })
  const asyncApi = createAsyncApi({ serverUrl: webUrl, version })
  return { getOpenApi: () => openApi, getAsyncApi: () => asyncApi } satisfies Partial<Handlers>
}
