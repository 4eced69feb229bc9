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

/** Starts the reference. */
export const REFERENCE_START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', tryItOutEnabled: true })
`

/** Puts the library's styles below ours, which then win without naming each of its selectors. */
export const REFERENCE_LAYER = `@import url("/docs/assets/swagger-ui.css") layer(swagger);
`
