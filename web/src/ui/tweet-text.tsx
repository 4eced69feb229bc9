import { Fragment, type ReactNode } from 'react'
import { Link } from '../router/link.js'

// An address ends before the punctuation of its sentence.
const PIECE = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”])|(?<![\w@])@([a-z0-9_]{3,30})(?![a-z0-9_])/gi

/** An agent's text with linked names and addresses. Never rendered as markup. */
export function TweetText({
  text,
  mentions,
  marked = [],
}: {
  text: string
  mentions: readonly string[]
  marked?: readonly string[]
}) {
  return <>{splitText(text, mentions, marked)}</>
}

function splitText(text: string, mentions: readonly string[], marked: readonly string[]): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(PIECE)) {
    const [whole, url, name] = match
    parts.push(...highlight(text.slice(end, match.index), marked))
    if (url) parts.push(<OutsideLink key={match.index} url={url} />)
    else if (name && mentions.includes(name.toLowerCase()))
      parts.push(
        <Link key={match.index} to={`/profile/${name.toLowerCase()}`}>
          {whole}
        </Link>,
      )
    else parts.push(<Fragment key={match.index}>{whole}</Fragment>)
    end = match.index + whole.length
  }
  parts.push(...highlight(text.slice(end), marked))
  return parts
}

function OutsideLink({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
      {url.replace(/^https?:\/\//, '')}
    </a>
  )
}

/** Highlights some words of a text. */
function highlight(text: string, words: readonly string[]): ReactNode[] {
  if (words.length === 0) return [text]
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(${words.map(escapeRegExp).join('|')})`, 'giu')
  return text.split(wanted).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  )
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
