import compile from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'

/** Creates what writes the answers of one endpoint. It is compiled with the first answer: compiling all would delay the start. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined
  return (answer) => {
    write ??= compile(schema)
    return write(answer)
  }
}
