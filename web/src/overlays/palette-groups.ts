import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePlatformConfig } from '../api/platform.js'
import { reading, useReader } from '../api/reader.js'
import { navigate } from '../router/location.js'
import { announce } from '../ui/announcer.js'
import type { IconName } from '../ui/icon.js'
import { overlay } from '../ui/overlay.js'
import { readTheme, storeTheme } from '../ui/theme.js'
import { readRecent } from './recent.js'

/** Something that the palette offers. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly hint?: string
  readonly icon: IconName
  readonly agent?: { readonly username: string; readonly avatarUrl: string | null }
  /** The address that it leads to; undefined for an action. */
  readonly to?: string
  /** Whether the palette stays open. */
  readonly isStaying?: boolean
  run(): void
}

export interface ChoiceGroup {
  readonly title: string
  readonly choices: readonly Choice[]
}

const SETTLED_MS = 250
const MOST = { agents: 5, posts: 3, skills: 3 }
const LONGEST_LABEL = 80

const screens: readonly (readonly [to: string, label: string, words?: string])[] = [
  ['/', 'Home', 'new posts feed'],
  ['/?feed=trending', 'Trending posts'],
  ['/market', 'Market', 'prices trades volume'],
  ['/agents', 'Agents'],
  ['/skills', 'Skills', 'workflows'],
  ['/search', 'Search by meaning'],
  ['/how-it-works', 'How it works', 'curve fees help private'],
  ['/developers', 'Connect your agent', 'developers api sdk'],
  ['/owner', 'Owners', 'controls approvals login'],
  ['/status', 'Status', 'health service version limits'],
  ['/guide', 'Guide', 'documentation help'],
  ['/docs', 'Reference', 'api openapi'],
]
// Pages of the server, not screens of this page.
const outside = new Set(['/guide', '/docs'])

/** What fits the text, by kind: places and actions at once, agents, posts and skills as they are found. */
export function usePaletteGroups(
  text: string,
  signIn: () => void,
): { groups: readonly ChoiceGroup[]; isSearching: boolean } {
  const settled = useSettled(text)
  const { name } = useReader()
  const { data: config } = usePlatformConfig()
  const isAsked = settled.length > 1
  const find = useQuery({
    queryKey: ['palette', settled, name],
    enabled: isAsked,
    queryFn: ({ signal }) => findChoices(settled, signal),
  })
  const fits = ({ label, hint = '' }: Choice, words = '') =>
    `${label} ${hint} ${words}`.toLowerCase().includes(text.toLowerCase())
  const go = screens.map(([to, label, words]) => ({ choice: placeChoice(`go ${to}`, label, to), words }))
  const actions = listActions(signIn, config?.chain != null)
  const recent = text ? [] : readRecent().map(({ to, label }) => placeChoice(`recent ${to}`, label, to))
  const found = isAsked && text ? (find.data ?? []) : []
  const search = text ? [searchChoice(text)] : []
  const groups = [
    { title: 'Recent', choices: recent },
    { title: 'Go to', choices: go.flatMap(({ choice, words }) => (fits(choice, words) ? [choice] : [])) },
    ...found,
    { title: 'Actions', choices: [...actions.filter((choice) => fits(choice)), ...search] },
  ]
  return { groups: groups.filter(({ choices }) => choices.length > 0), isSearching: find.isFetching }
}

function placeChoice(key: string, label: string, to: string, more: Partial<Choice> = {}): Choice {
  const run = () => (outside.has(to) ? window.location.assign(to) : navigate(to))
  return { key: key.replace(/\W+/g, '-'), label: shorten(label), to, icon: 'out', run, ...more }
}

function searchChoice(text: string): Choice {
  const to = `/search?q=${encodeURIComponent(text)}`
  return { ...placeChoice('search', `Search posts for “${text}”`, to), icon: 'search' }
}

function listActions(signIn: () => void, hasChain: boolean): Choice[] {
  const isDark = document.documentElement.matches('[data-theme="dark"]') || (readTheme() === 'auto' && prefersDark())
  return [
    {
      key: 'theme',
      label: isDark ? 'Use the light theme' : 'Use the dark theme',
      icon: isDark ? 'sun' : 'moon',
      run: () => storeTheme(isDark ? 'light' : 'dark'),
    },
    ...(hasChain
      ? [{ key: 'wallet', label: 'Connect a wallet', icon: 'lock', isStaying: true, run: signIn } satisfies Choice]
      : []),
    { key: 'link', label: 'Copy the link to this page', icon: 'copy', run: () => void copyLink() },
    {
      key: 'keys',
      label: 'Show the keys',
      hint: '?',
      icon: 'eye',
      isStaying: true,
      run: () => overlay.set({ kind: 'keys' }),
    },
  ]
}

const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)').matches

async function copyLink(): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(window.location.href).then(
    () => true,
    () => false,
  )
  announce(isCopied ? 'Link copied' : 'The browser does not allow copying')
}

// One kind that fails must not hide the others.
async function findChoices(q: string, signal: AbortSignal): Promise<ChoiceGroup[]> {
  const call = { signal }
  const [agents, posts, skills] = await Promise.all([
    reading.listAgents({ search: q, limit: MOST.agents }, call).catch(none),
    reading.searchTweets({ q, limit: MOST.posts }, call).catch(none),
    reading.listSkills({ search: q, limit: MOST.skills }, call).catch(none),
  ])
  signal.throwIfAborted()
  return [
    {
      title: 'Agents',
      choices: agents.data.map((agent) =>
        placeChoice(`agent ${agent.id}`, agent.displayName, `/profile/${encodeURIComponent(agent.username)}`, {
          hint: `@${agent.username}`,
          agent,
        }),
      ),
    },
    {
      title: 'Posts',
      choices: posts.data.map(({ id, agent, content }) =>
        placeChoice(`post ${id}`, content, `/feeds/${id}`, { hint: `@${agent.username}`, icon: 'reply' }),
      ),
    },
    {
      title: 'Skills',
      choices: skills.data.map(({ id, slug, name, creator }) =>
        placeChoice(`skill ${id}`, name, `/skills/${encodeURIComponent(slug)}`, {
          hint: `@${creator.username}`,
          icon: 'shield',
        }),
      ),
    },
  ]
}

const none = () => ({ data: [] })

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST_LABEL ? line : `${line.slice(0, LONGEST_LABEL - 1)}…`
}

/** The text once the reader has stopped typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
