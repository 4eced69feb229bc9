import { type Endpoints, type Output, type SkillVersion, skillVersionTypedData } from '@rookery/api'
import type { Hex, LocalAccount } from 'viem'
import type { Client } from './client.js'

/**
 * Computes the SHA-256 of a raw document in hex, which is how the skill market publishes it.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { documentDigest } from '@rookery/sdk'
 *
 * console.log(await documentDigest(await readFile('SKILL.md', 'utf8')))
 * ```
 */
export async function documentDigest(document: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Reads from a raw document which item and version it claims to be. Returns undefined when it is not a document of a
 * skill market.
 *
 * @example
 * ```ts
 * import { readSkillHeading } from '@rookery/sdk'
 *
 * const heading = readSkillHeading('---\nskill_id: 0190c5a0\nversion: 1.2.0\n---\n# Listen first')
 * console.log(heading?.versionNumber) // 1.2.0
 * ```
 */
export function readSkillHeading(document: string): { id: string; versionNumber: string } | undefined {
  const [, heading = ''] = document.match(/^---\n([\s\S]*?)\n---\n/) ?? []
  const member = (name: string) => heading.match(new RegExp(`^${name}: ["']?([^"'\\s]+)["']?$`, 'm'))?.[1]
  const id = member('skill_id')
  const versionNumber = member('version')
  return id === undefined || versionNumber === undefined ? undefined : { id, versionNumber }
}

/**
 * Whether the creator's wallet signed a copy. `valid` and `invalid` were computed locally, without trusting the server;
 * the signature of a smart wallet can only be checked on the chain, which the server did.
 */
export type SignatureState = 'none' | 'valid' | 'invalid' | 'checked by the server'

/** The result of checking a copy of an item. */
export interface CheckedSkill extends Output<Endpoints['verifySkill']> {
  readonly digest: string
  readonly signatureState: SignatureState
}

/**
 * Checks an installed document: whether its bytes are those that were published, and whether they may still be used.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { checkSkill, createClient } from '@rookery/sdk'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
 * const { ok, reasons } = await checkSkill(rookery, await readFile('SKILL.md', 'utf8'))
 * if (!ok) throw new Error(reasons.join(' '))
 * ```
 */
export async function checkSkill(
  client: Client,
  document: string,
  claimed = readSkillHeading(document),
): Promise<CheckedSkill> {
  if (!claimed) throw new TypeError('This is not a document of a skill market: it has no skill_id and version.')
  const digest = await documentDigest(document)
  const verified = await client.verifySkill({ id: claimed.id, v: claimed.versionNumber, digest })
  const signatureState = await checkSignature(client, verified, digest)
  const reasons =
    signatureState === 'invalid'
      ? [...verified.reasons, 'The creator’s signature is for other bytes.']
      : verified.reasons
  return { ...verified, ok: reasons.length === 0, reasons, digest, signatureState }
}

const KEY_PAIR_BYTES = 65

async function checkSignature(
  client: Client,
  { id, versionNumber, signature }: Output<Endpoints['verifySkill']>,
  digest: string,
): Promise<SignatureState> {
  if (!signature) return 'none'
  // Imported here because viem is slow to load.
  const { isAddressEqual, recoverTypedDataAddress, size } = await import('viem')
  if (size(signature.signature) !== KEY_PAIR_BYTES) return 'checked by the server'
  const typedData = await buildTypedData(client, { skillId: id, versionNumber, digest })
  const signer = await recoverTypedDataAddress({ ...typedData, signature: signature.signature }).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, signature.signer) ? 'valid' : 'invalid'
}

async function buildTypedData(client: Client, version: { skillId: string; versionNumber: string; digest: string }) {
  const { platformName, chain } = await client.getConfig()
  if (!chain) throw new Error('This server has no chain, and versions are signed for a chain.')
  return skillVersionTypedData({ platformName, chainId: chain.id, ...version })
}

/** Which version to sign. */
export interface SignRequest {
  /** Id or slug of the item. */
  readonly id: string
  readonly versionNumber: string
  /** The published text. Signing is refused when the server serves another one. */
  readonly content?: string
}

/**
 * Signs a published version with its creator's wallet. The digest is computed from the bytes the server serves, so the
 * wallet signs what others download.
 *
 * @example
 * ```ts
 * import { createClient, signSkillVersion } from '@rookery/sdk'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.ROOKERY_API_KEY ?? '' })
 * const wallet = privateKeyToAccount(process.env.ROOKERY_PRIVATE_KEY as `0x${string}`)
 * await signSkillVersion(rookery, wallet, { id: 'listen-first', versionNumber: '1.2.0' })
 * ```
 */
export async function signSkillVersion(
  client: Client,
  wallet: { readonly signTypedData: LocalAccount['signTypedData'] },
  { id, versionNumber, content }: SignRequest,
): Promise<SkillVersion> {
  const item = await client.getSkill({ id })
  const version = item.versions.find((one) => one.versionNumber === versionNumber)
  if (!version) throw new Error(`${item.slug} has no version ${versionNumber}.`)
  const request = { id: item.id, v: versionNumber }
  const document =
    item.type === 'workflow' ? await client.getWorkflowMarkdown(request) : await client.getSkillMarkdown(request)
  if (content !== undefined && !document.endsWith(stripFrontMatter(content)))
    throw new Error('Not signed: the server serves a different text from the one that was published.')
  const digest = await documentDigest(document)
  const typedData = await buildTypedData(client, { skillId: item.id, versionNumber, digest })
  const signature: Hex = await wallet.signTypedData(typedData)
  return client.updateSkillVersion({ id: item.id, versionId: version.id, signature })
}

function stripFrontMatter(content: string): string {
  return content.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '').replace(/^(?:[ \t]*\r?\n)+/, '')
}
