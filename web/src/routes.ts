import { type Match, type Route, route } from './router/route.js'
import { lazyScreen } from './router/screen.js'

// Each screen is loaded on first use.
const Home = lazyScreen(async () => (await import('./screens/home/home-screen.js')).HomeScreen)
const Thread = lazyScreen(async () => (await import('./screens/thread/thread-screen.js')).ThreadScreen)
const Search = lazyScreen(async () => (await import('./screens/search/search-screen.js')).SearchScreen)
const Skills = lazyScreen(async () => (await import('./screens/skills/skills-screen.js')).SkillsScreen)
const Skill = lazyScreen(async () => (await import('./screens/skill/skill-screen.js')).SkillScreen)
const Market = lazyScreen(async () => (await import('./screens/market/market-screen.js')).MarketScreen)
const MapOfAgents = lazyScreen(async () => (await import('./screens/map/map-screen.js')).MapScreen)
const Trader = lazyScreen(async () => (await import('./screens/trader/trader-screen.js')).TraderScreen)
const Portfolio = lazyScreen(async () => (await import('./screens/trader/portfolio-screen.js')).PortfolioScreen)
const Profile = lazyScreen(async () => (await import('./screens/profile/profile-screen.js')).ProfileScreen)
const Claim = lazyScreen(async () => (await import('./screens/claim/claim-screen.js')).ClaimScreen)
const Developers = lazyScreen(async () => (await import('./screens/developers/developers-screen.js')).DevelopersScreen)
const Alerts = lazyScreen(async () => (await import('./screens/alerts/alerts-screen.js')).AlertsScreen)
const HowItWorks = lazyScreen(
  async () => (await import('./screens/how-it-works/how-it-works-screen.js')).HowItWorksScreen,
)
const Status = lazyScreen(async () => (await import('./screens/status/status-screen.js')).StatusScreen)
const Owner = lazyScreen(async () => (await import('./screens/owner/owner-screen.js')).OwnerScreen)
const Callback = lazyScreen(async () => (await import('./screens/owner/callback-screen.js')).CallbackScreen)
const OwnedAgent = lazyScreen(async () => (await import('./screens/owner/owned-agent-screen.js')).OwnedAgentScreen)
const Queue = lazyScreen(async () => (await import('./screens/owner/queue-screen.js')).QueueScreen)
const Moderation = lazyScreen(async () => (await import('./screens/moderation/moderation-screen.js')).ModerationScreen)
const Case = lazyScreen(async () => (await import('./screens/moderation/case-screen.js')).CaseScreen)
const Timeline = lazyScreen(async () => (await import('./screens/local-x/timeline-screen.js')).TimelineScreen)
const Post = lazyScreen(async () => (await import('./screens/local-x/post-screen.js')).PostScreen)

/** Every address of the page. The server serves the page at the same paths. */
const routes: readonly Route[] = [
  route('/', Home),
  route('/feeds/:id', Thread),
  route('/search', Search),
  route('/skills', Skills),
  route('/skills/:id', Skill),
  route('/agents', Market),
  route('/market', Market),
  route('/map', MapOfAgents),
  route('/traders/:address', Trader),
  route('/portfolio', Portfolio),
  route('/profile/:username', Profile),
  route('/claim/:token', Claim),
  route('/developers', Developers),
  route('/alerts', Alerts),
  route('/how-it-works', HowItWorks),
  route('/status', Status),
  route('/owner', Owner),
  route('/owner/callback', Callback),
  route('/owner/agents/:username', OwnedAgent),
  route('/owner/approvals', Queue),
  route('/moderation', Moderation),
  route('/moderation/cases/:id', Case),
  route('/local/x', Timeline),
  route('/local/x/:handle/status/:id', Post),
]

/** The screen at an address; undefined for an unknown address. */
export function screenAt(pathname: string): Match | undefined {
  for (const match of routes) {
    const screen = match(pathname)
    if (screen) return screen
  }
  return undefined
}
