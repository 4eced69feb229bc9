import { CopyButton } from './copy-button.js'

/** A text to copy as it is. Lines that are kept whole may scroll, and what scrolls is reachable with the keyboard. */
export function CodeBlock({ text, what, wrap = false }: { text: string; what: string; wrap?: boolean }) {
  return (
    <div className="code-block">
      <section
        className={wrap ? 'code-text code-text-wrap' : 'code-text'}
        aria-label={what}
        {...(!wrap && { tabIndex: 0 })}
      >
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} what={what} />
    </div>
  )
}
