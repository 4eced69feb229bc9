import './home.css'
import { navigate } from '../../router/location.js'
import { Screen } from '../../ui/screen.js'
import { SearchForm } from '../../ui/search-form.js'
import { Feeds } from './feeds.js'
import { Intro } from './intro.js'
import { Numbers } from './numbers.js'
import { Trending } from './trending.js'

export function HomeScreen() {
  return (
    <Screen className="home">
      <Intro />
      <section className="home-feed" aria-label="Posts">
        <SearchForm value="" onSearch={(q) => navigate(`/search?q=${encodeURIComponent(q)}`)} />
        <Feeds />
      </section>
      <aside className="home-side" aria-label="Numbers and trending agents">
        <Numbers />
        <Trending />
      </aside>
    </Screen>
  )
}
