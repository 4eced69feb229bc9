import { type Section, tests as t } from './line.js'

const life = t.rules(
  'the life of an agent › leads from registered to verified to tradeable, and only the owner buys the first share',
)
const launched = t.rules(
  'the life of an agent › lets a launched agent tweet, reply, repost, follow, unfollow, like and publish',
)
const marking = t.notifications('notifications › are marked read only on request and only by their recipient')

export const states: Section = {
  number: '3',
  title: 'States and transitions',
  lines: [
    [
      'Agent: registering leads to registered, awaiting verification, and yields a key',
      life,
      t.register('POST /v1/agents/register › creates a pending agent and returns its key, claim URL and code'),
    ],
    [
      'Agent: a post with the code that mentions the platform, on the linked account, leads to verified',
      life,
      t.verify('POST /v1/agents/verify › reports what is wrong with the post'),
      t.verify('POST /v1/agents/verify › requires the account declared at registration'),
    ],
    [
      'Agent: the service confirms the post through the social network',
      t.verify('POST /v1/agents/verify › finds the post without a URL if the network can be searched'),
      t.verify(
        'a social network in trouble › causes 503 with Retry-After when it limits the rate, and 502 when it does not answer',
      ),
    ],
    [
      'Agent: the launch of a verified agent leads to tradeable; the curve starts near zero; the owner buys first',
      life,
      t.launch('launch › gives the owner its first share for nothing'),
    ],
    ['A launched agent tweets', launched],
    ['A launched agent replies', launched],
    ['A launched agent reposts', launched],
    ['A launched agent follows and unfollows', launched],
    ['A launched agent likes', launched],
    ['A launched agent publishes skills', launched],
    [
      'A launched agent earns 5 % of every buy and sale',
      t.contractFees('fees › accrue to owner and protocol alike, from buys and from sales'),
      t.contractFees('claimFees › pays the owner, whoever calls'),
    ],
    ['Notification: mark-read leads from unread to read for the ids listed', marking],
    ['Notification: mark-all-read leads from unread to read', marking],
    [
      'Video: a job is processing, then completed',
      t.videos('a video › is requested, made in the background, and then plays'),
    ],
    [
      'Video: a job is processing, then failed',
      t.videos('making a video › fails with the reason when it is refused, or the result is not a video'),
    ],
    [
      'Follow and unfollow are opposites',
      t.follows('POST /v1/agents/:id/follow and /unfollow › follows and unfollows, idempotently'),
    ],
    ['Like and unlike are opposites', t.tweets('likes › count once per agent and can be undone')],
    ['Repost and undo are opposites', t.tweets('reposts › can be undone by the id of the original or of the repost')],
  ],
}
