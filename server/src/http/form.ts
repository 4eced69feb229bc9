import { rm } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import type { Endpoint, EndpointName } from '@rookery/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { Problem } from '../base/problem.js'
import type { Announced } from '../features/media/upload-slots.js'
import { type ReceivedFile, receiveFile } from '../foundation/received-file.js'
import type { Scratch } from '../foundation/scratch.js'
import { isTaken } from './aliases.js'
import { explainUnknownInput, refuseUnknown } from './unknown-input.js'

/** A parsed multipart form: its fields as text, its files on this machine. */
export interface Form {
  readonly members: Readonly<Record<string, string | ReceivedFile>>
  /** Removes the files that no handler has moved away. */
  remove(): Promise<void>
}

// No limit of parts: the parser gives parts beyond it no listener for errors, so a form that ends inside one would end the
// process. Files and fields have limits, and parts that are neither are skipped.
const LIMITS = {
  files: 1,
  fields: 20,
  parts: Number.POSITIVE_INFINITY,
  fieldNameSize: 100,
  fieldSize: 10_000,
  headerPairs: 20,
}
// Everything in a form but the file: boundaries, names, other fields.
const FORM_BYTES = 64 * 1024
// How long a sender may pause between two chunks.
const SILENT_MS = 60_000
// A refused client may keep sending for this long: many clients read the answer only after they have sent everything.
const REFUSED_MS = 30_000

/** Makes the routes of `scope` accept multipart forms and nothing else. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { limits: { ...LIMITS, fileSize: Number.POSITIVE_INFINITY } })
  scope.addContentTypeParser('*', (_request, _payload, done) => done(notAForm()))
}

/** The announced size of a form, and the most it may have without one. Refuses what is too long or no form. */
export function announcedBytes(request: FastifyRequest, { multipart: accepted = {} }: Endpoint): Announced {
  if (!request.isMultipart()) throw notAForm()
  const most = Math.max(...Object.values(accepted).map(({ maxBytes }) => maxBytes))
  const length = request.headers['content-length']
  if (length === undefined) return { bytes: most, isKnown: false }
  if (Number(length) > most + FORM_BYTES) throw new Problem('FILE_TOO_LARGE')
  return { bytes: Number(length), isKnown: true }
}

/** The size of the files of a form. */
export function sizeOf({ members }: Form): number {
  return Object.values(members).reduce((sum, member) => sum + (typeof member === 'string' ? 0 : member.size), 0)
}

/** Reads the form of a request. Files are checked while they arrive. */
export async function readForm(
  request: FastifyRequest,
  name: EndpointName,
  endpoint: Endpoint,
  scratch: Scratch,
): Promise<Form> {
  const { multipart: accepted = {}, body } = endpoint
  const { socket } = request.raw
  const members: Record<string, string | ReceivedFile> = {}
  const remove = async () => {
    for (const member of Object.values(members)) if (typeof member !== 'string') await rm(member.path, { force: true })
  }
  socket.setTimeout(SILENT_MS)
  try {
    for await (const part of request.parts()) {
      // At once, and not only after the rest has arrived.
      if (!isTaken(name, endpoint, part.fieldname))
        refuseUnknown(explainUnknownInput(endpoint, { body: { [part.fieldname]: '' } }))
      const member = body?.properties[part.fieldname]
      if ((part.type === 'file') !== (member !== undefined && isFile(member))) {
        if (part.type === 'file') throw Problem.at(part.fieldname, 'is not a file that this form takes')
        if (member) throw Problem.at(part.fieldname, 'must be a file')
      }
      if (part.type === 'file') members[part.fieldname] = await receiveFile(part.file, scratch.newPath(), accepted)
      else if (part.valueTruncated) throw Problem.at(part.fieldname, 'is too long')
      else members[part.fieldname] = String(part.value)
    }
    return { members, remove }
  } catch (error) {
    await remove()
    discardRest(request)
    throw isFormError(error, request) ? unreadable() : error
  } finally {
    socket.setTimeout(0)
  }
}

/** Identifies the content of a form, wherever its files are stored. */
export function fingerprintOf({ members }: Form): string {
  return JSON.stringify(
    Object.entries(members).map(([name, member]) => [name, typeof member === 'string' ? member : member.sha256]),
  )
}

/** The schema of a parsed form. Files were checked while they arrived; the schema only checks that they are present. */
export function formSchema(body: NonNullable<Endpoint['body']>): TSchema {
  const properties = Object.entries(body.properties).map(([name, member]): [string, TSchema] => [
    name,
    isFile(member) ? Type.Unsafe<ReceivedFile>({ type: 'object' }) : member,
  ])
  return { ...body, properties: Object.fromEntries(properties) }
}

function isFile(schema: TSchema): boolean {
  return 'format' in schema && schema.format === 'binary'
}

/** Lets a refused client send the rest, which nobody reads. */
export function discardRest({ raw }: FastifyRequest): void {
  raw.resume()
  const timer = setTimeout(() => raw.destroy(), REFUSED_MS).unref()
  raw.once('close', () => clearTimeout(timer))
}

// The parser's errors have no code. Errors about files do, and are ours.
function isFormError(error: unknown, { raw }: FastifyRequest): boolean {
  if (error instanceof Problem || !(error instanceof Error)) return false
  return raw.errored !== null || (!('code' in error) && error.constructor === Error)
}

function unreadable(): Problem {
  return new Problem('INVALID_INPUT', { message: 'The form ends too early or cannot be read. Send it again.' })
}

function notAForm(): Problem {
  return new Problem('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body as multipart/form-data.' })
}
