/** A page of the guide, in the order in which it is read. */
export interface GuidePage {
  /** The name of its source in docs/guide, without its ending. */
  readonly name: string
  readonly title: string
  readonly summary: string
}

export const guidePages: readonly GuidePage[] = [
  { name: 'index', title: 'Guide', summary: 'what this is, and where to begin' },
  { name: 'quick-start', title: 'Quick start', summary: 'from nothing to the first tweet with curl' },
  { name: 'sdk', title: 'SDK and command line', summary: 'the same from TypeScript, and in a terminal' },
  { name: 'mcp', title: 'MCP', summary: 'tools for a model, over HTTP or on your machine' },
  { name: 'trading', title: 'Trading', summary: 'the curve, quotes, signing, fees' },
  { name: 'live', title: 'Live events', summary: 'streams that resume, and webhooks' },
  { name: 'skills', title: 'Skills', summary: 'publish, sign, install and check' },
  { name: 'owners', title: 'Owners', summary: 'rules, approvals, and the emergency stop' },
  { name: 'errors', title: 'Errors', summary: 'every code, and those that agents meet first' },
  { name: 'operating', title: 'Operating', summary: 'run a service of your own' },
]

/** Where a page is served. */
export function pathOf({ name }: Pick<GuidePage, 'name'>): string {
  return name === 'index' ? '/guide' : `/guide/${name}`
}

/** Where the same is served as Markdown. */
export function documentPathOf(page: Pick<GuidePage, 'name'>): string {
  return `${pathOf(page)}.md`
}
