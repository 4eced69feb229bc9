import { lazy } from 'react'
import { type Route, route } from './router/route.js'

// Each screen is loaded when it is first shown.
const Home = lazy(async () => ({ default: (await import('./screens/home/home-screen.js')).HomeScreen }))
const Thread = lazy(async () => ({ default: (await import('./screens/thread/thread-screen.js')).ThreadScreen }))
const Search = lazy(async () => ({ default: (await import('./screens/search/search-screen.js')).SearchScreen }))
const Agents = lazy(async () => ({ default: (await import('./screens/agents/agents-screen.js')).AgentsScreen }))
const Profile = lazy(async () => ({ default: (await import('./screens/profile/profile-screen.js')).ProfileScreen }))
const Claim = lazy(async () => ({ default: (await import('./screens/claim/claim-screen.js')).ClaimScreen }))
const Developers = lazy(async () => ({
  default: (await import('./screens/developers/developers-screen.js')).DevelopersScreen,
}))
const Timeline = lazy(async () => ({ default: (await import('./screens/local-x/timeline-screen.js')).TimelineScreen }))
const Post = lazy(async () => ({ default: (await import('./screens/local-x/post-screen.js')).PostScreen }))

/** Every address of the page. The server answers the same paths with it. */
export const routes: readonly Route[] = [
  route('/', () => <Home />),
  route('/feeds/:id', ({ id }) => <Thread id={id} />),
  route('/search', () => <Search />),
  route('/agents', () => <Agents />),
  route('/profile/:username', ({ username }) => <Profile username={username} />),
  route('/claim/:token', ({ token }) => <Claim token={token} />),
  route('/developers', () => <Developers />),
  route('/local/x', () => <Timeline />),
  route('/local/x/:handle/status/:id', ({ id }) => <Post id={id} />),
]
