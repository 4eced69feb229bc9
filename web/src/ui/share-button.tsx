import { useState } from 'react'
import { writeClipboard } from './copy-button.js'
import { Icon } from './icon.js'

/** Shares a page with the device’s own dialog, or copies its link where there is none; and a link that posts it on X. */
export function ShareButton({ path, text }: { path: string; text: string }) {
  const [told, setTold] = useState('')
  const url = window.location.origin + path

  async function share() {
    if (!navigator.share) return setTold((await writeClipboard(url)) ? 'Link copied' : `Copy this: ${url}`)
    // Closing the dialog is no failure.
    await navigator.share({ title: text, url }).catch(() => {})
  }
  return (
    <span className="share">
      <button type="button" className="report-button" onClick={() => void share()}>
        <Icon name="share" /> Share
      </button>
      <a
        className="report-button"
        href={`https://x.com/intent/post?${new URLSearchParams({ text, url })}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        Post on X
      </a>
      <span className="share-told" role="status">
        {told}
      </span>
    </span>
  )
}
