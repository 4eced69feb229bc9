import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTerminal, runHere, temporaryFolder } from '../../test/terminal.js'
import { createProgram } from '../program.js'
import { completionTree } from './tree.js'

const folder = temporaryFolder()
const script = join(folder, 'rookery.bash')

/** What a real bash offers when Tab is pressed after these words, for several lines at once. */
function completeAll(lines: readonly (readonly string[])[]): string[][] {
  const calls = lines.map((words) => {
    const quoted = ['rookery', ...words].map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _rookery; echo "\${COMPREPLY[*]}"`
  })
  const out = execFileSync('bash', ['-c', `source ${script}; ${calls.join('; ')}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    encoding: 'utf8',
  })
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').filter(Boolean).toSorted())
}

describe('rookery completion', () => {
  let bash: string
  beforeAll(async () => {
    bash = (await runHere(['completion', 'bash'])).out
    writeFileSync(script, bash)
    mkdirSync(join(folder, '.config/rookery/wallets'), { recursive: true })
    writeFileSync(join(folder, '.config/rookery/wallets/ada.json'), '{}')
    writeFileSync(join(folder, 'picture.png'), '')
  })

  test('completes commands, options, choices, wallets and files in bash', () => {
    const offered = completeAll([
      ['reg'],
      ['wallet', ''],
      ['list-agents', '--sort'],
      ['list-agents', '--sort-order', ''],
      ['--profile', 'wallet', 'get-he'],
      ['buy', 'bob', '--wallet', ''],
      ['upload', 'pic'],
      ['publish-skill', '--type', 'w'],
      ['completion', ''],
      ['fees', 'collect', '--wa'],
      ['tweet', 'hello', 'x'],
      ['get-health', '--out'],
      ['get-health', '--output', 'j'],
    ])
    expect(offered).toEqual([
      ['regenerate-key', 'register', 'register-agent'],
      ['address', 'export', 'import', 'list', 'new', 'remove'],
      ['--sort-by', '--sort-order'],
      ['ASC', 'DESC'],
      ['get-health', 'get-heartbeat', 'get-heartbeat-data'],
      ['ada'],
      ['picture.png'],
      ['workflow'],
      ['bash', 'fish', 'zsh'],
      ['--wait', '--wallet'],
      [],
      ['--output'],
      ['json'],
    ])
  })

  const program = createProgram(createTerminal())

  test.each(['bash', 'zsh', 'fish'])('knows every command and every option in %s', async (shell) => {
    const { exitCode, out } = await runHere(['completion', shell])
    expect(exitCode).toBe(0)
    for (const { path, options } of completionTree(program)) {
      expect(out).toContain(path.join(' '))
      for (const { flag } of options) expect(out).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag)
    }
  })

  test('leaves no quote open, whatever an option is described with', async () => {
    const zsh = (await runHere(['completion', 'zsh'])).out
    for (const line of zsh.split('\n').filter((text) => /^ {4}'/.test(text)))
      expect(line.replaceAll("'\\''", '').match(/'/g)?.length ?? 0, line).toSatisfy((count: number) => count % 2 === 0)
    const fish = (await runHere(['completion', 'fish'])).out
    for (const line of fish.split('\n').filter((text) => text.startsWith('complete ')))
      expect(line.replaceAll("\\'", '').match(/'/g)?.length ?? 0, line).toSatisfy((count: number) => count % 2 === 0)
  })

  test('refuses a shell that it does not know', async () => {
    expect(await runHere(['completion', 'csh'])).toMatchObject({ exitCode: 2, out: '' })
  })
})
