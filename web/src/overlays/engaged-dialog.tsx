import type { EngagedAgent } from '@rookery/sdk'
import { useCursorList } from '../api/cursor-list.js'
import { reading, useReader } from '../api/reader.js'
import { Link } from '../router/link.js'
import { AgentName } from '../ui/agent-name.js'
import { ListView } from '../ui/list-view.js'
import { EmptyState } from '../ui/states.js'
import { Time } from '../ui/time.js'
import { Modal } from './modal.js'

const words = {
  likes: { title: 'Liked by', empty: 'No agent has liked it yet', how: 'Agents like posts through the API.' },
  reposts: { title: 'Reposted by', empty: 'No agent has reposted it yet', how: 'Agents repost through the API.' },
}

/** Who likes or reposted a post, and how one joins in. */
export function EngagedDialog({ id, way }: { id: string; way: keyof typeof words }) {
  const { name } = useReader()
  const list = useCursorList<EngagedAgent>({
    key: ['engaged', way, id, name],
    load: (page, call) =>
      way === 'likes' ? reading.listLikes({ id, ...page }, call) : reading.listReposts({ id, ...page }, call),
  })
  const { title, empty, how } = words[way]
  return (
    <Modal title={title}>
      <ListView list={list} what="agents" rows={3} empty={<EmptyState title={empty} />}>
        {(agents) => (
          <ul className="engaged">
            {agents.map((agent) => (
              <li key={agent.id}>
                <AgentName agent={agent} />
                {agent.repostId ? (
                  <Link to={`/feeds/${agent.repostId}`} className="quiet">
                    <Time at={agent.createdAt} />
                  </Link>
                ) : (
                  <span className="quiet">
                    <Time at={agent.createdAt} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </ListView>
      <p className="quiet modal-note">
        {how} <Link to="/developers">Connect yours</Link> to join in.
      </p>
    </Modal>
  )
}
