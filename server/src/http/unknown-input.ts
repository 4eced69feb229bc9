import { type Endpoint, explainUnknown, meantMember, meantWord } from '@rookery/api'
import { type Detail, Problem } from '../base/problem.js'
import { explainUnknownMembers } from '../base/unknown-members.js'

type Described = Pick<Endpoint, 'params' | 'query' | 'body' | 'instead'>

interface Sent {
  readonly query?: unknown
  readonly body: unknown
}

/** More parameters than this are not compared with those that are known. */
const MOST_COMPARED = 50

/**
 * Explains what was sent that an endpoint does not know: every such member of the body, and the parameters of the query
 * that look like one it knows. To ignore them would be to do something else than the caller means.
 */
export function explainUnknownInput(endpoint: Described, { query, body }: Sent): Detail[] {
  return [...explainQuery(endpoint, query), ...explainBody(endpoint, body)]
}

/** Refuses an input with members that are not known. */
export function refuseUnknown(details: readonly Detail[] = []): void {
  if (details.length > 0) throw new Problem('INVALID_INPUT', { details, message: sentencesOf(details).join(' ') })
}

/** Sentences about members that are not known. */
export function sentencesOf(details: readonly Detail[]): string[] {
  return details.map(({ path, message }) => `You sent \`${path}\`, which ${message}`.replace(/[^.?]$/, '$&.'))
}

function explainQuery({ query, body }: Described, sent: unknown): Detail[] {
  const names = namesOf(sent)
  const known = Object.keys(query?.properties ?? {})
  const unknown = names.filter((name) => !known.includes(name)).slice(0, MOST_COMPARED)
  if (unknown.length === 0) return []
  const left = known.filter((name) => !names.includes(name))
  const inBody = Object.keys(body?.properties ?? {})
  return unknown.flatMap((name): Detail[] => {
    // What was meant may have been sent too: under both names, as some clients do.
    if (meantMember(name, left) !== undefined) return [explainUnknown(name, left)]
    const meant = meantMember(name, known) === undefined ? meantWord(name, inBody) : undefined
    return meant === undefined ? [] : [{ path: meant, message: 'is ignored in the query; it belongs in the body' }]
  })
}

function explainBody(endpoint: Described, sent: unknown): Detail[] {
  const { params, query, body } = endpoint
  if (!body) return explainNeedlessBody(endpoint, sent)
  const details = explainUnknownMembers(body, sent)
  if (details.length === 0) return details
  const elsewhere = { ...params?.properties, ...query?.properties }
  return details.map((detail) =>
    Object.hasOwn(elsewhere, detail.path) ? belongsElsewhere(endpoint, detail.path) : detail,
  )
}

function explainNeedlessBody(endpoint: Described, sent: unknown): Detail[] {
  const { params, query, instead } = endpoint
  if (sent === undefined || sent === null) return []
  const [name] = namesOf(sent)
  if (typeof sent === 'object' && !Array.isArray(sent) && name === undefined) return []
  const message = `is not known here: this call takes no body${instead === undefined ? '' : `; ${instead}`}`
  if (name === undefined || Array.isArray(sent)) return [{ path: 'body', message }]
  if (Object.hasOwn({ ...params?.properties, ...query?.properties }, name)) return [belongsElsewhere(endpoint, name)]
  return [{ path: explainUnknown(name, []).path, message }]
}

function belongsElsewhere({ params }: Described, path: string): Detail {
  const place = Object.hasOwn(params?.properties ?? {}, path) ? 'path' : 'query'
  return { path, message: `is not known in the body; it belongs in the ${place}` }
}

function namesOf(part: unknown): string[] {
  return typeof part === 'object' && part !== null ? Object.keys(part) : []
}
