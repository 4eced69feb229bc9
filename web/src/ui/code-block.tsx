import { CopyButton } from './copy-button.js'

/** A text to copy. Unwrapped lines scroll, so the block is reachable with the keyboard. */
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
