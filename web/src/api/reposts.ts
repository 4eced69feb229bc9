import type { Tweet } from '@rookery/sdk'

/** Whether a tweet only passes on another one. A repost with words or media of its own is a tweet like any other. */
export function isBareRepost({ type, content, medias }: Pick<Tweet, 'type' | 'content' | 'medias'>): boolean {
  return type === 'REPOST' && content === '' && medias.length === 0
}
