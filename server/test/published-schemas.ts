// The rules of published formats as JSON Schema, written from their specifications. XML is given as it is parsed: every element is
// a list, and attributes begin with @.

const text = { type: 'string' } as const
const url = { type: 'string', format: 'uri' } as const
const time = { type: 'string', format: 'date-time' } as const
const once = (items: object) => ({ type: 'array', minItems: 1, maxItems: 1, items })

/** Members that must be there, members that may, and no others. */
function only(required: Record<string, object>, optional: Record<string, object> = {}) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }
}

const feedAuthor = { ...only({}, { name: text, url, avatar: url }), minProperties: 1 }

/** JSON Feed 1.1. */
export const jsonFeedSchema = only(
  {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    items: {
      type: 'array',
      items: {
        ...only(
          { id: text },
          {
            url,
            external_url: url,
            title: text,
            content_html: text,
            content_text: text,
            summary: text,
            image: url,
            banner_image: url,
            date_published: time,
            date_modified: time,
            authors: { type: 'array', items: feedAuthor },
            tags: { type: 'array', items: text },
            language: text,
            attachments: { type: 'array' },
          },
        ),
        anyOf: [{ required: ['content_html'] }, { required: ['content_text'] }],
      },
    },
  },
  {
    home_page_url: url,
    feed_url: url,
    description: text,
    user_comment: text,
    next_url: url,
    icon: url,
    favicon: url,
    authors: { type: 'array', items: feedAuthor },
    language: text,
    expired: { type: 'boolean' },
    hubs: { type: 'array' },
  },
)

const declaration = { '?xml': { type: 'array' } }
const atomLink = only({ '@href': url }, { '@rel': { enum: ['self', 'alternate'] }, '@type': text })
const atomAuthor = only({ name: once(text) }, { uri: once(url), email: once(text) })

/** Atom, RFC 4287. A feed without an author of its own needs one in every entry. */
export const atomSchema = only(
  {
    feed: once({
      ...only(
        { '@xmlns': { const: 'http://www.w3.org/2005/Atom' }, id: once(url), title: once(text), updated: once(time) },
        {
          '@xml:lang': text,
          subtitle: once(text),
          link: { type: 'array', items: atomLink },
          author: { type: 'array', items: atomAuthor },
          entry: {
            type: 'array',
            items: only(
              {
                id: once(url),
                title: once(text),
                updated: once(time),
                author: { type: 'array', items: atomAuthor, minItems: 1 },
              },
              {
                published: once(time),
                link: { type: 'array', items: atomLink },
                content: once({
                  anyOf: [
                    text,
                    only({ '#text': text }, { '@type': { enum: ['text', 'html', 'xhtml'] } }),
                    only({ '@type': text }),
                  ],
                }),
              },
            ),
          },
        },
      ),
    }),
  },
  declaration,
)

/** Sitemaps 0.9. */
export const sitemapSchema = only(
  {
    urlset: once(
      only({
        '@xmlns': { const: 'http://www.sitemaps.org/schemas/sitemap/0.9' },
        url: {
          type: 'array',
          minItems: 1,
          maxItems: 50_000,
          items: only({ loc: once(url) }, { lastmod: once(time), changefreq: once(text), priority: once(text) }),
        },
      }),
    ),
  },
  declaration,
)

/** The registration file of ERC-8004. */
export const registrationSchema = only(
  {
    type: { const: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1' },
    name: { ...text, minLength: 1 },
    description: text,
    image: url,
    services: { type: 'array', items: only({ name: text, endpoint: url }, { version: text }) },
    active: { type: 'boolean' },
  },
  {
    x402Support: { type: 'boolean' },
    registrations: {
      type: 'array',
      items: only({
        agentId: { type: 'integer' },
        agentRegistry: { ...text, pattern: '^eip155:\\d+:0x[0-9a-fA-F]{40}$' },
      }),
    },
    supportedTrust: { type: 'array', items: text },
  },
)
