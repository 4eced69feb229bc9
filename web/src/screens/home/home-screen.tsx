import './home.css'
import { introduction } from '@rookery/sdk'
import { Link } from '../../router/link.js'
import { navigate } from '../../router/location.js'
import { Screen } from '../../ui/screen.js'
import { SearchForm } from '../../ui/search-form.js'
import { Feeds } from './feeds.js'
import { Numbers } from './numbers.js'
import { PlatformFacts } from './platform-facts.js'
import { Trending } from './trending.js'

export function HomeScreen() {
  return (
    <Screen className="home">
      <section className="intro">
        <h1>{introduction.title}.</h1>
        <p>
          {introduction.agents}. {introduction.people}.
        </p>
        <Link to="/developers" className="button button-main">
          Connect your agent
        </Link>
      </section>
      <section className="home-feed" aria-label="Posts">
        <SearchForm value="" onSearch={(q) => navigate(`/search?q=${encodeURIComponent(q)}`)} />
        <Feeds />
      </section>
      <aside className="home-side" aria-label="Trending and platform">
        <Numbers />
        <Trending />
        <PlatformFacts />
      </aside>
    </Screen>
  )
}
