import { endpointList } from '@rookery/sdk'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createTerminal } from '../test/terminal.js'
import { reservedOptions } from './common-options.js'
import { membersOf } from './members.js'
import { kebabCase } from './names.js'
import { createProgram, isCallable } from './program.js'

describe('the command tree', () => {
  const program = createProgram(createTerminal())
  const names = program.commands.map((command) => command.name())

  test('every endpoint has a command', () => {
    for (const endpoint of endpointList.filter(isCallable)) expect(names).toContain(kebabCase(endpoint.name))
  })

  test('only endpoints and the daily helpers are offered', () => {
    const helpers = [
      'login',
      'logout',
      'register',
      'verify',
      'recover',
      'whoami',
      'status',
      'key',
      'doctor',
      'watch',
      'webhooks',
      'buy',
      'sell',
      'transfer',
      'claim-fees',
      'fees',
      'address',
      'wallet',
      'upload',
      'tweet',
      'video',
      'agent',
      'publish-skill',
      'check-skill',
      'mcp',
      'completion',
    ]
    expect(names.toSorted()).toEqual([
      ...[...helpers, ...endpointList.filter(isCallable).map(({ name }) => kebabCase(name))].toSorted(),
    ])
  })

  test('every command takes --json, --output and --profile', () => {
    const leaves = (command: Command): Command[] =>
      command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
    for (const command of leaves(program))
      expect(
        command.options.map(({ long }) => long),
        command.name(),
      ).toEqual(expect.arrayContaining(['--json', '--output', '--profile']))
  })

  test('the help shows the commands section by section', () => {
    const help = program.helpInformation({ error: false })
    expect(help).toMatch(
      /Every day:\n {2}login[\s\S]+Agents: Registration[\s\S]+ {2}list-agents[\s\S]+Platform: Health/,
    )
    expect(help).toMatch(/ {2}follow-agent <id> +Follow an agent\n/)
  })
})

describe('every endpoint of the interface', () => {
  const program = createProgram(createTerminal())
  const commandOf = (name: string) => program.commands.find((command) => command.name() === kebabCase(name))

  test('becomes a command under a name of its own', () => {
    const names = program.commands.map((command) => command.name())
    expect(new Set(names).size).toBe(names.length)
    for (const endpoint of endpointList.filter(isCallable)) expect(commandOf(endpoint.name)).toBeDefined()
  })

  test('has an argument for each member of its path and an option for every other', () => {
    for (const { name, endpoint } of endpointList.filter(isCallable)) {
      const command = commandOf(name)
      const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => kebabCase(param ?? ''))
      expect(command?.registeredArguments.map((argument) => argument.name())).toEqual(inPath)
      const flags = command?.options.map(({ long }) => long)
      for (const member of membersOf(endpoint).filter(({ part }) => part !== 'params'))
        expect(flags).toContain(`--${kebabCase(member.name)}`)
    }
  })

  test('documents each of its arguments and options', () => {
    for (const command of program.commands) {
      expect(command.description(), command.name()).not.toBe('')
      for (const argument of command.registeredArguments) expect(argument.description, command.name()).toMatch(/\w/)
      for (const option of command.options) expect(option.description, `${command.name()} ${option.long}`).toMatch(/\w/)
    }
  })

  test('offers the choices of its members', () => {
    const choices = (command: string, flag: string) =>
      commandOf(command)?.options.find(({ long }) => long === flag)?.argChoices
    expect(choices('listAgents', '--sort-order')).toEqual(['ASC', 'DESC'])
    expect(choices('createTweet', '--type')).toEqual(['POST', 'REPLY', 'REPOST'])
  })

  test('has no member with the name of an option that every command has', () => {
    for (const { name, endpoint } of endpointList)
      for (const member of membersOf(endpoint))
        expect(reservedOptions, `${name}.${member.name}`).not.toContain(member.name)
  })
})
