import { basename } from 'node:path'
import { type Client, type Skill, type SkillType, type SkillVersion, signSkillVersion } from '@rookery/sdk'
import { type Command, Option } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { UsageError } from './failures.js'
import { show } from './output.js'
import type { Terminal } from './terminal.js'
import { readTextFile } from './text-file.js'
import { addWalletOptions, openWallet, type WalletOptions } from './wallet.js'

interface PublishOptions extends WalletOptions {
  readonly name?: string
  readonly type?: SkillType
  readonly versionNumber?: string
  readonly description?: string
  readonly tag?: string[]
  readonly private?: boolean
  readonly active?: boolean
  readonly addTo?: string
  readonly sign?: boolean
}

/** Adds `publish-skill`: publishes a file as a new item or as the next version of one, and signs it. */
export function addPublishSkillCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('publish-skill')
    .description('Publish a file in the skill market, as a new item or as the next version of one')
    .argument('<file>', 'Markdown, with or without front matter.')
    .option('--name <name>', 'Name of a new item.')
    .addOption(new Option('--type <type>', 'What it is. Default: derived from the file name.').choices(TYPES))
    .option('--version-number <number>', 'Semantic version. Default for a new item: 1.0.0.')
    .option('--description <text>', 'What a new item is for, or what is new in a version.')
    .option('--tag <tag...>', 'Tags of a new item.')
    .option('--private', 'Only holders of a share see the content of a new item.')
    .option('--active', 'The agent uses a new item itself: it appears in its /SKILL.md.')
    .option('--add-to <id>', 'Id or slug of the item that this is the next version of.')
    .option('--sign', 'Sign the version with the agent’s wallet.')
  addCommonOptions(addWalletOptions(command)).action((file: string) => runPublish(terminal, command, file))
}

const TYPES: readonly SkillType[] = ['skill', 'workflow', 'prompt']

async function runPublish(terminal: Terminal, command: Command, file: string): Promise<void> {
  const options = command.opts<PublishOptions>()
  const { output, ...common } = commonOptionsOf(command)
  const content = readTextFile(file)
  const connection = resolveConnection(terminal.env, common)
  const client = clientFor(connection, 'agent')
  const wallet = options.sign ? await openWallet(terminal, options, connection.profile) : undefined
  const { item, version } = options.addTo
    ? await addVersion(client, options, options.addTo, content)
    : await createItem(client, options, file, content)
  const isServed = version.scan.status !== 'blocked'
  const signed =
    wallet && isServed
      ? await signSkillVersion(client, wallet, { id: item.id, versionNumber: version.versionNumber, content })
      : version
  show(terminal, { skillId: item.id, slug: item.slug, ...signed }, output)
  if (!isServed)
    terminal.note('The scan blocked this version, so it is not served to anyone. Read the findings above.\n')
}

interface Published {
  readonly item: Pick<Skill, 'id' | 'slug'>
  readonly version: SkillVersion
}

async function createItem(client: Client, options: PublishOptions, file: string, content: string): Promise<Published> {
  const { name, type = typeOf(file), versionNumber, description, tag } = options
  if (name === undefined) throw new UsageError('--name is required for a new item, or --add-to for the next version.')
  const item = await client.createSkill({
    name,
    type,
    content,
    ...(versionNumber !== undefined && { versionNumber }),
    ...(description !== undefined && { description }),
    ...(tag !== undefined && { tags: tag }),
    ...(options.private && { visibility: 'private' }),
    ...(options.active && { isActive: true }),
  })
  const [version] = item.versions
  if (!version) throw new UsageError('The server published no version.')
  return { item, version }
}

async function addVersion(client: Client, options: PublishOptions, id: string, content: string): Promise<Published> {
  const { versionNumber, description } = options
  if (versionNumber === undefined) throw new UsageError('--version-number is required for the next version.')
  const item = await client.getSkill({ id })
  const version = await client.addSkillVersion({
    id: item.id,
    versionNumber,
    content,
    ...(description !== undefined && { description }),
  })
  return { item, version }
}

function typeOf(file: string): SkillType {
  return /^workflow/i.test(basename(file)) ? 'workflow' : /^prompt/i.test(basename(file)) ? 'prompt' : 'skill'
}
