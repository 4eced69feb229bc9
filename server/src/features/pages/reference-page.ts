import { headTags } from './page-head.js'
import { siteTags, styleTag } from './site-assets.js'
import { siteHeader } from './site-header.js'

interface Site {
  readonly webUrl: string
  readonly PLATFORM_NAME: string
}

/** The browsable reference in the frame of the site. */
export function referencePage({ webUrl, PLATFORM_NAME: platformName }: Site): string {
  const head = headTags(
    {
      title: 'Reference',
      description: `Every endpoint of ${platformName}, with its input, its answers and its errors. Try them here.`,
      type: 'website',
      path: '/docs',
      picture: '/og',
    },
    { webUrl, platformName },
  )
  return `<!doctype html>
<html lang="en">
  <head>
    ${siteTags()}
    ${head}
    <link rel="preload" as="style" href="/docs/assets/swagger-ui.css">
    <link rel="stylesheet" href="/docs/layer.css">
    ${styleTag('src/reference/reference.css')}
  </head>
  <body>
    <a class="skip-link" href="#reference">Skip to the reference</a>
    ${siteHeader(platformName, '/docs')}
    <div id="reference" class="reference" tabindex="-1"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
}

/**
 * Starts the reference. The library takes several times longer for OpenAPI 3.1 than for 3.0, and ours says in 3.1 only
 * what may be null and what is constant.
 */
export const REFERENCE_START = `const inOlderWords = (key, value) => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value.type)) return { ...value, type: value.type.find((name) => name !== 'null'), nullable: true }
  return typeof value.const === 'string' ? { ...value, enum: [value.const] } : value
}
const show = (what) =>
  SwaggerUIBundle({ ...what, dom_id: '#reference', deepLinking: true, docExpansion: 'none', tryItOutEnabled: true })
fetch('/openapi.json')
  .then((answer) => answer.text())
  .then((text) => show({ spec: { ...JSON.parse(text, inOlderWords), openapi: '3.0.3' } }))
  .catch(() => show({ url: '/openapi.json' }))
`

/** Puts the library's styles below ours, which then win without naming each of its selectors. */
export const REFERENCE_LAYER = `@import url("/docs/assets/swagger-ui.css") layer(swagger);
`
