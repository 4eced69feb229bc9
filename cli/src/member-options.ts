import { Argument, Option } from 'commander'
import { isNullable, type Member, type MemberSchema, typeOf } from './members.js'
import { kebabCase, sentenceOf } from './names.js'
import { parseValue } from './parse-value.js'

/** Creates the positional argument for a path parameter. */
export function argumentFor({ name, schema }: Member): Argument {
  return new Argument(`<${kebabCase(name)}>`, describe(name, schema)).argParser((text) => parseValue(schema, text))
}

/** Creates the option for a member of the query or body. A list is passed by repeating its option. */
export function optionFor({ name, schema, required }: Member): Option {
  const repeats = typeOf(schema) === 'array'
  const one = repeats ? (schema.items ?? {}) : schema
  const option = new Option(
    `${flagOf(name)} ${valueName(one)}`,
    [
      describe(name, schema),
      repeats && 'Repeat the option for several.',
      isNullable(schema) && 'null removes it.',
      required && 'Required.',
    ]
      .filter(Boolean)
      .join(' '),
  )
  const choices = one.enum?.filter((word) => word !== null)
  if (choices) option.argChoices = choices
  if (typeOf(one) === 'boolean') option.preset('true')
  return option.argParser(
    (text, before: Given | undefined): Given => ({
      value: repeats ? collect(schema, text, before?.value) : parseValue(one, text),
    }),
  )
}

/** The value of an option, wrapped because commander treats a bare null as no value. */
export interface Given {
  readonly value: unknown
}

export function flagOf(name: string): string {
  return `--${kebabCase(name)}`
}

function collect(schema: MemberSchema, text: string, before: unknown): unknown {
  if (isNullable(schema) && text === 'null') return null
  return [...(Array.isArray(before) ? before : []), parseValue(schema.items ?? {}, text)]
}

function describe(name: string, schema: MemberSchema): string {
  const text = schema.description ?? sentenceOf(name)
  return schema.default === undefined ? text : `${text} Default: ${String(schema.default)}.`
}

function valueName(schema: MemberSchema): string {
  if (schema.enum) return '<choice>'
  if (schema.format === 'binary') return '<file>'
  const names: Readonly<Record<string, string>> = {
    integer: '<number>',
    number: '<number>',
    boolean: '[boolean]',
    string: '<text>',
  }
  return names[typeOf(schema) ?? ''] ?? '<json>'
}
