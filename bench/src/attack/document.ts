import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** The parts of a JSON Schema that values are made from. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

interface RawOperation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly object[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Response>>
}

/** An answer that an operation documents. */
export interface DocumentedAnswer {
  readonly type: string
  /** What is wrong with a JSON body, or undefined. */
  check(body: unknown): string | undefined
}

/** An endpoint as the document describes it. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly type: string; readonly schema: Schema } | undefined
  readonly statuses: readonly number[]
  /** The kinds of credentials that it takes. */
  readonly credentials: readonly string[]
  answer(status: number): DocumentedAnswer | undefined
}

export interface Document {
  readonly operations: readonly Operation[]
  /** Follows a reference. */
  resolve(schema: Schema): Schema
  /** What is wrong with the body of an error, or undefined. */
  checkError(body: unknown): string | undefined
}

const COMPONENTS = 'rookery:components'

/** Reads the operations of an OpenAPI document, with a check for each of their answers. */
export function readDocument(document: OpenApi): Document {
  const { schemas, responses } = document.components
  const ajv = formats.default(new Ajv2020({ strict: false, validateSchema: false }))
  ajv.addSchema(absolute({ components: { schemas } }) as object, COMPONENTS)
  const compiled = new Map<string, ValidateFunction>()
  const checkOf = (schema: Schema) => (body: unknown) => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(absolute(schema) as object)
    compiled.set(key, validate)
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }

  function readOperation(path: string, method: string, raw: RawOperation): Operation {
    const [content] = Object.entries(raw.requestBody?.content ?? {})
    return {
      name: raw.operationId,
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters ?? [],
      body: content && { type: content[0], schema: content[1].schema },
      statuses: Object.keys(raw.responses).map(Number),
      credentials: (raw.security ?? []).flatMap(Object.keys),
      answer(status) {
        const given = raw.responses[status]
        const response = given?.$ref === undefined ? given : responses[given.$ref.split('/').at(-1) ?? '']
        const [type, found] = Object.entries(response?.content ?? {})[0] ?? []
        return type === undefined || !found ? undefined : { type, check: checkOf(found.schema) }
      },
    }
  }

  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => readOperation(path, method, raw)),
    ),
    resolve(schema) {
      const found = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']
      return found ?? {}
    },
    checkError: checkOf({ $ref: '#/components/schemas/Error' }),
  }
}

/** Lets references point to the components wherever the schema stands. */
function absolute(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(absolute)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) =>
      name === '$ref' && typeof value === 'string' ? [name, `${COMPONENTS}${value}`] : [name, absolute(value)],
    ),
  )
}
