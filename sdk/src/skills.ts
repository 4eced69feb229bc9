import { type Endpoints, type Output, type SkillVersion, skillVersionTypedData } from '@rookery/api'
import { type Hex, isAddressEqual, type LocalAccount, recoverTypedDataAddress, size } from 'viem'
import type { Client } from './client.js'

/** SHA-256 of a raw document, in hex, as the skill market publishes it. */
export async function documentDigest(document: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Which version of which item a raw document says it is. Nothing when it is no document of a skill market. */
export function readSkillHeading(document: string): { id: string; versionNumber: string } | undefined {
  const [, heading = ''] = document.match(/^---\n([\s\S]*?)\n---\n/) ?? []
  const member = (name: string) => heading.match(new RegExp(`^${name}: ["']?([^"'\\s]+)["']?$`, 'm'))?.[1]
  const id = member('skill_id')
  const versionNumber = member('version')
  return id === undefined || versionNumber === undefined ? undefined : { id, versionNumber }
}

/**
 * Whether the creator's wallet vouches for a copy: `valid` and `invalid` were found out here, without trust in the
 * server; a smart wallet's signature was checked by the server, on the chain.
 */
export type SignatureState = 'none' | 'valid' | 'invalid' | 'checked by the server'

/** What is known about a copy of an item. */
export interface CheckedSkill extends Output<Endpoints['verifySkill']> {
  readonly digest: string
  readonly signatureState: SignatureState
}

/** Checks a raw document that was installed some time: are its bytes those that were published, and may they be used? */
export async function checkSkill(
  client: Client,
  document: string,
  claimed = readSkillHeading(document),
): Promise<CheckedSkill> {
  if (!claimed) throw new TypeError('This is no document of a skill market: it names no skill_id and version.')
  const digest = await documentDigest(document)
  const verified = await client.verifySkill({ id: claimed.id, v: claimed.versionNumber, digest })
  const signatureState = await stateOfSignature(client, verified, digest)
  const reasons =
    signatureState === 'invalid'
      ? [...verified.reasons, 'The signature of its creator is not of these bytes.']
      : verified.reasons
  return { ...verified, ok: reasons.length === 0, reasons, digest, signatureState }
}

const KEY_PAIR_BYTES = 65

async function stateOfSignature(
  client: Client,
  { id, versionNumber, signature }: Output<Endpoints['verifySkill']>,
  digest: string,
): Promise<SignatureState> {
  if (!signature) return 'none'
  if (size(signature.signature) !== KEY_PAIR_BYTES) return 'checked by the server'
  const typedData = await typedDataOf(client, { skillId: id, versionNumber, digest })
  const signer = await recoverTypedDataAddress({ ...typedData, signature: signature.signature }).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, signature.signer) ? 'valid' : 'invalid'
}

async function typedDataOf(client: Client, version: { skillId: string; versionNumber: string; digest: string }) {
  const { platformName, chain } = await client.getConfig()
  if (!chain) throw new Error('This server knows no chain, for which versions are signed.')
  return skillVersionTypedData({ platformName, chainId: chain.id, ...version })
}

/** Which version to sign. */
export interface SignRequest {
  /** Id or slug of the item. */
  readonly id: string
  readonly versionNumber: string
  /** What was published. Nothing is signed when the server serves another text. */
  readonly content?: string
}

/**
 * Signs a published version with the wallet of its creator. The digest is made from the bytes that the server serves, so
 * the wallet vouches for what others get.
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
  if (content !== undefined && !document.endsWith(bodyOf(content)))
    throw new Error('Not signed: the server serves another text than the one that was published.')
  const digest = await documentDigest(document)
  const typedData = await typedDataOf(client, { skillId: item.id, versionNumber, digest })
  const signature: Hex = await wallet.signTypedData(typedData)
  return client.updateSkillVersion({ id: item.id, versionId: version.id, signature })
}

function bodyOf(content: string): string {
  return content.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '').replace(/^(?:[ \t]*\r?\n)+/, '')
}
