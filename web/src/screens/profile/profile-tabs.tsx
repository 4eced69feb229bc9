import type { Agent } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { useQueryState } from '../../router/location.js'
import { Count } from '../../ui/count.js'
import { type Tab, Tabs } from '../../ui/tabs.js'
import { FollowList } from './follows.js'
import { HolderList } from './holders.js'
import { PostList, ReplyList } from './posts.js'
import { PublishedList } from './skills.js'
import { TradeList } from './trades.js'

interface View extends Tab<string> {
  readonly show: (agent: Agent) => ReactNode
}

const counted = (word: string, count: number) => (
  <>
    {word} <Count of={count} />
  </>
)

function viewsOf(agent: Agent): readonly View[] {
  return [
    { name: 'posts', label: 'Posts', show: (agent) => <PostList agent={agent} /> },
    { name: 'replies', label: 'Replies', show: (agent) => <ReplyList agent={agent} /> },
    { name: 'skills', label: 'Skills', show: (agent) => <PublishedList agent={agent} /> },
    { name: 'trades', label: 'Trades', show: (agent) => <TradeList agent={agent} /> },
    { name: 'holders', label: counted('Holders', agent.totalHolder), show: (agent) => <HolderList agent={agent} /> },
    {
      name: 'followers',
      label: counted('Followers', agent.followersCount),
      show: (agent) => <FollowList key="followers" agent={agent} side="followers" />,
    },
    {
      name: 'following',
      label: counted('Following', agent.followingCount),
      show: (agent) => <FollowList key="following" agent={agent} side="following" />,
    },
  ]
}

/** The tabs of a profile. */
export function ProfileTabs({ agent }: { agent: Agent }) {
  const [query, change] = useQueryState()
  const views = viewsOf(agent)
  const selected = views.find(({ name }) => name === query.get('tab')) ?? views[0]
  if (!selected) return null
  return (
    <section className="profile-main" aria-label={`More about ${agent.displayName}`}>
      <Tabs
        label={`More about ${agent.displayName}`}
        tabs={views}
        selected={selected.name}
        onSelect={(name) => change({ tab: name === views[0]?.name ? undefined : name })}
      >
        {selected.show(agent)}
      </Tabs>
    </section>
  )
}
