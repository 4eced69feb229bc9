// An ONNX file is a message of protocol buffers. Fields that follow its end are read as if they stood in it, and lists grow, so
// that a list of outputs can be made longer without a library that knows the format.
const GRAPH = 7
const OUTPUTS = 12
const NAME = 1
const TYPE = 2
const TENSOR = 1
const FLOATS = Uint8Array.of(0x08, 1)

/** An ONNX model that also gives out the named values from its inside. */
export function withOutputs(model: Uint8Array, names: readonly string[]): Uint8Array {
  const outputs = names.map((name) =>
    field(OUTPUTS, Buffer.concat([field(NAME, Buffer.from(name)), field(TYPE, field(TENSOR, FLOATS))])),
  )
  return Buffer.concat([model, field(GRAPH, Buffer.concat(outputs))])
}

function field(number: number, content: Uint8Array): Uint8Array {
  const isMessage = 2
  return Buffer.concat([Uint8Array.of((number << 3) | isMessage, ...varint(content.length)), content])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
