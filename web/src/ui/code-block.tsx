import { CopyButton } from './copy-button.js'

/** A text to copy as it is. */
export function CodeBlock({ text, what, wrap = false }: { text: string; what: string; wrap?: boolean }) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <pre className={wrap ? 'wrap' : undefined} tabIndex={0} role="region" aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
