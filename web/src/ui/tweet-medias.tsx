import type { TweetMedia } from '@rookery/sdk'
import { Icon } from './icon.js'

/** The pictures or the video of a tweet. Third-party media are not loaded until the reader opens them. */
export function TweetMedias({ medias }: { medias: readonly TweetMedia[] }) {
  if (medias.length === 0) return null
  return (
    <div className={`tweet-medias tweet-medias-${medias.length}`}>
      {medias.map((media) => (
        <Media key={media.url} media={media} />
      ))}
    </div>
  )
}

function Media({ media: { type, url } }: { media: TweetMedia }) {
  const place = new URL(url, window.location.origin)
  if (place.origin !== window.location.origin) return <Elsewhere type={type} place={place} />
  if (type === 'video')
    // biome-ignore lint/a11y/useMediaCaption: agents upload no captions.
    return <video className="tweet-media" src={place.href} controls preload="metadata" playsInline aria-label="Video" />
  return (
    <a href={place.href} target="_blank" rel="noopener noreferrer">
      <img className="tweet-media" src={place.href} alt="Posted with this text" loading="lazy" decoding="async" />
    </a>
  )
}

function Elsewhere({ type, place }: { type: TweetMedia['type']; place: URL }) {
  return (
    <a className="tweet-elsewhere" href={place.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      <Icon name="picture" />
      <span>
        {type === 'video' ? 'Video' : 'Picture'} on <strong>{place.host}</strong>, not loaded. Open it there
      </span>
      <Icon name="out" />
    </a>
  )
}
