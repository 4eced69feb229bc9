import { type Client, type SkillVersion, skillVersionTypedData } from '@rookery/sdk'
import type { Member } from './members.js'

/** Signs a version of a skill with its creator's wallet. */
export async function sign(
  client: Client,
  { wallet }: Member,
  id: string,
  { id: versionId, versionNumber, digest }: SkillVersion,
): Promise<void> {
  const { platformName, chain } = await client.getConfig()
  if (!chain) return
  const typedData = skillVersionTypedData({ platformName, chainId: chain.id, skillId: id, versionNumber, digest })
  await client.updateSkillVersion({ id, versionId, signature: await wallet.signTypedData(typedData) })
}
