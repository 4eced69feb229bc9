import { startServer } from '../../../test/start-server.js'
import { createLocalSocialNetwork } from './local.js'
import { socialNetworkContract } from './social-network.contract.js'

socialNetworkContract(async () => {
  const server = await startServer()
  const { id, url, text, handle, name } = await server
    .client()
    .createLocalPost({ handle: 'Alice', name: 'Alice A.', text: 'Hello rooks,\nhere I am' })
  return {
    network: createLocalSocialNetwork({ db: server.deps.db, webUrl: server.config.webUrl }),
    post: { id, url, text, author: { id: 'handle:alice', handle, name, followersCount: null, followingCount: null } },
    missingUrl: `${server.config.webUrl}/local/x/alice/status/01900000-0000-7000-8000-000000000000`,
    close: () => server.stop(),
  }
})
