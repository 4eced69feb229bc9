import { createHash } from 'node:crypto'
import { type Document, isScalar, parseDocument, stringify, visit } from 'yaml'
import { Problem } from '../../base/problem.js'

const LONGEST_NAME = 64
const LONGEST_DESCRIPTION = 1024
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/
// The Agent Skills members that authors may set.
const KEPT = ['license', 'compatibility', 'allowed-tools', 'metadata'] as const

const LONGEST_FRONT_MATTER = 8_000
// A nested map adds two levels: its pair, and the value.
const DEEPEST_FRONT_MATTER = 16
const MOST_BRACKETS = 200
const MANY_LEVELS = /^[ \t]*(?:[-?:][ \t]+){8}/m

/** An author's text, split into front matter, if any, and body. */
export interface Source {
  /** The original text. */
  readonly content: string
  readonly members: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Separates the front matter from the body. A text that merely begins with a `---` line is all body. */
export function readSource(content: string): Source {
  const [whole, yaml] = content.match(FRONT_MATTER) ?? []
  if (whole === undefined || yaml === undefined) return { content, members: {}, body: content }
  const members = plainValue(parseFrontMatter(yaml))
  return isRecord(members)
    ? { content, members, body: content.slice(whole.length) }
    : { content, members: {}, body: content }
}

function parseFrontMatter(yaml: string): Document {
  if (yaml.length > LONGEST_FRONT_MATTER)
    throw Problem.at('content', `must begin with at most ${LONGEST_FRONT_MATTER} characters of front matter`)
  // The parser recurses per level, and too many levels would overflow the stack and crash the process.
  if ((yaml.match(/[[{]/g)?.length ?? 0) > MOST_BRACKETS || MANY_LEVELS.test(yaml)) throw tooDeepProblem()
  // Turns off two parser features that are slow on large input: comparing each key with all others, and locating errors.
  const document = parseDocument(yaml, { schema: 'core', uniqueKeys: false, prettyErrors: false })
  if (document.errors.length > 0 || hasDuplicateKey(document))
    throw Problem.at('content', 'must begin with front matter that is valid YAML, or with none')
  return document
}

function hasDuplicateKey(document: Document): boolean {
  let isDuplicate = false
  visit(document, {
    Map(_, { items }, path) {
      if (path.length > DEEPEST_FRONT_MATTER) throw tooDeepProblem()
      const keys = items.map(({ key }) => (isScalar(key) ? key.value : key))
      isDuplicate ||= new Set(keys).size < keys.length
    },
    Seq(_, _sequence, path) {
      if (path.length > DEEPEST_FRONT_MATTER) throw tooDeepProblem()
    },
  })
  return isDuplicate
}

const tooDeepProblem = () => Problem.at('content', 'must have front matter of a few levels')

function plainValue(document: Document): unknown {
  try {
    // Aliases could expand a small text into a huge one.
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw Problem.at('content', 'must have front matter without aliases')
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Finds the description in an author's front matter. */
export function findDescription({ members }: Source): string | undefined {
  const { description } = members
  return typeof description === 'string' && description.trim() !== '' ? description.trim() : undefined
}

/** The front matter of a version. */
export interface Heading {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly versionNumber: string
}

/**
 * Composes the raw document of a version: front matter as Agent Skills and the clients of this market expect it, then the
 * original body. The same input always yields the same bytes.
 */
export function composeDocument(source: Source, heading: Heading): string {
  const description = (heading.description || heading.name).slice(0, LONGEST_DESCRIPTION)
  const members = {
    name: heading.slug,
    description,
    skill_id: heading.id,
    version: heading.versionNumber,
    ...Object.fromEntries(KEPT.flatMap((name) => (isKept(name, source) ? [[name, source.members[name]]] : []))),
  }
  const yaml = stringify(members, { lineWidth: 0, defaultKeyType: 'PLAIN' })
  return `---\n${yaml}---\n\n${source.body.replace(/^(?:[ \t]*\r?\n)+/, '')}`
}

function isKept(name: (typeof KEPT)[number], { members }: Source): boolean {
  const value = members[name]
  if (name === 'metadata') return isRecord(value)
  if (name === 'allowed-tools' && Array.isArray(value)) return value.every((tool) => typeof tool === 'string')
  return typeof value === 'string' && value.trim() !== ''
}

/** SHA-256 of the served bytes. */
export function computeDigest(document: string): string {
  return createHash('sha256').update(document).digest('hex')
}

/** The name of an item for URLs and front matter: a-z, 0-9 and single hyphens. */
function makeSlug(name: string, type: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME - SUFFIX_ROOM)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? type : slug
}

const SUFFIX_ROOM = 14

/** Slugs to try in turn: the plain one, numbered ones, and one that is certainly unique. */
export function listSlugChoices(name: string, type: string, id: string): string[] {
  const slug = makeSlug(name, type)
  return [slug, ...[2, 3, 4, 5].map((number) => `${slug}-${number}`), `${slug}-${id.slice(-12)}`]
}
