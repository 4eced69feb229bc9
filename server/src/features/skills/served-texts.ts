import type { ScanResult } from '@rookery/api'
import type { Scanned } from '@rookery/skill-scan'
import type { FullVersionRow, SkillRow } from './queries.js'

export type Finding = ScanResult['findings'][number]
type Part = NonNullable<Finding['part']>

/** What an item serves of its creator's words, whichever version is read. */
export type ItemTexts = Pick<SkillRow, 'name' | 'description' | 'tags'>
/** What a version serves of its creator's words. */
export type VersionTexts = Pick<FullVersionRow, 'document' | 'content' | 'description' | 'revoked_reason'>

export const isSameItem = (a: ItemTexts, b: ItemTexts) => JSON.stringify(itemTexts(a)) === JSON.stringify(itemTexts(b))

/** A text that is scanned by itself. */
export interface ServedText extends Partial<Scanned> {
  /** Absent for the raw document. */
  readonly part?: Part
  /** The member of a request that carries it. */
  readonly member: string
}

/** Everything served of an item that belongs to all of its versions. */
export function itemTexts({ name, description, tags }: ItemTexts): ServedText[] {
  return [{ part: 'item', member: 'name', name, description }, ...tagTexts(tags)]
}

/** Tags are scanned as they are served, and as the sentence that their words make. */
export function tagTexts(tags: readonly string[]): ServedText[] {
  if (tags.length === 0) return []
  const served = tags.join(' ')
  return [{ part: 'item', member: 'tags', document: `${served}\n\n${served.replace(/[-_.+]+/g, ' ')}` }]
}

/** Everything that a version serves of its creator's words. What is missing here is served unscanned. */
export function servedTexts(item: ItemTexts, version: VersionTexts): ServedText[] {
  const { document, content, description, revoked_reason: reason } = version
  return [
    { member: 'content', name: item.name, description: item.description, document },
    ...tagTexts(item.tags),
    // The document has the body of the content, but not its front matter as the author wrote it.
    ...(document.includes(content) ? [] : [{ part: 'content', member: 'content', document: content } as const]),
    ...(description === '' ? [] : [{ part: 'description', member: 'description', document: description } as const]),
    ...(reason === null ? [] : [{ part: 'revocation', member: 'reason', document: reason } as const]),
  ]
}

type Texts = readonly [ItemTexts, VersionTexts]
export const isSameText = (a: Texts, b: Texts) =>
  JSON.stringify(servedTexts(...a)) === JSON.stringify(servedTexts(...b))

/** Says of findings in which text they were. Only lines of documents help their author. */
export function locate(findings: readonly Finding[], { part }: ServedText): Finding[] {
  if (part === 'content') return findings.map((finding) => ({ ...finding, part }))
  if (part !== undefined) return findings.map((finding) => ({ ...finding, line: null, part }))
  // Without a line it is in the name or the description that were scanned with the document.
  return findings.map((finding) => (finding.line === null ? { ...finding, part: 'item' } : finding))
}

/** The result of a version from the findings in all its texts, the worst first. */
export function resultOf(findings: readonly Finding[]): ScanResult {
  const blocked = findings.filter(({ severity }) => severity === 'blocked')
  const others = findings.filter(({ severity }) => severity !== 'blocked')
  const inDocument = new Set(findings.filter(({ part }) => part === undefined).map(keyOf))
  return {
    status: blocked.length > 0 ? 'blocked' : others.length > 0 ? 'warning' : 'clean',
    // What is in the body was found in the document already.
    findings: [...blocked, ...others].filter((one) => one.part !== 'content' || !inDocument.has(keyOf(one))),
  }
}

const keyOf = ({ rule, severity }: Finding) => `${rule} ${severity}`

/** The result after one part of what is served has changed. */
export function replacePart(before: readonly Finding[], part: Part, found: readonly Finding[]): ScanResult {
  return resultOf([...before.filter((finding) => finding.part !== part), ...found])
}
