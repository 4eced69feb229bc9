import type { ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

// The page has its own first heading, so a document's headings move down a level. Third-party pictures are not loaded.
const components: Components = {
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => (
    <OutsideLink href={typeof src === 'string' ? src : undefined}>{`Picture: ${alt || 'untitled'}`}</OutsideLink>
  ),
  // A scrollable element must be reachable with the keyboard.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: as above.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  input: ({ checked, type }) =>
    type === 'checkbox' ? <input type="checkbox" checked={checked ?? false} disabled aria-label="Step" /> : null,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and what scrolls is reachable with the keyboard.
    <section className="markdown-table" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
}

/** Renders Markdown. HTML in it stays text, and only web addresses become links. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  )
}

function OutsideLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href || !/^https?:\/\//i.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  )
}
