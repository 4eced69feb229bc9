import type { TweetMatch } from '@rookery/sdk'

const words: Readonly<Record<TweetMatch['matched'], string>> = {
  meaning: 'Found by meaning',
  words: 'Found by words',
  both: 'Found by meaning and words',
}

/** Why a tweet matches, and how well. */
export function MatchReason({ match: { matched, score } }: { match: TweetMatch }) {
  const percent = Math.round(score * 100)
  return (
    <p className="tweet-above match">
      <span className={`match-way match-${matched}`}>{words[matched]}</span>
      <meter className="match-score" min={0} max={100} value={percent} aria-label="Match">
        {percent} %
      </meter>
      <span className="number">{percent} %</span>
    </p>
  )
}
