export interface ProgramOptions {
  /** The folder of the repository whose program is started. Default: this one. */
  readonly checkout?: string
  /** Variables beside the defaults: free ports, warnings, no rate limits. None of the caller's reach the program. */
  readonly env?: Readonly<Record<string, string>>
  /** An absolute path of a folder to start on, which then outlives the program. Default: a new one, removed at the end. */
  readonly dataDir?: string
  /** The program of Node. Default: the one that runs this. */
  readonly node?: string
  /** The file that is run. Default: the compiled service. */
  readonly script?: string
  readonly nodeFlags?: readonly string[]
  /** Lets Ctrl-C reach the caller alone. */
  readonly detached?: boolean
  /** Prints what the program complains about instead of keeping it for `output`. */
  readonly showErrors?: boolean
  /** Default: as long as it takes. */
  readonly readyWithinMs?: number
}

/** The compiled program as its operator runs it. */
export interface Program {
  /** Empty for a worker, which listens nowhere. */
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Its exit code, when it has ended, whoever ended it. */
  readonly ended: Promise<number | null>
  /** Everything it has printed so far. */
  output(): string
  /** Asks it to stop and waits for that; gives its exit code. */
  stop(): Promise<number | null>
  /** Ends it without warning, as a power cut would. */
  kill(): Promise<void>
}

/** Whether there is something to start in a folder of the repository; default: this one. */
export function isBuilt(checkout?: string): boolean
/** Starts the compiled program in a process of its own and waits until it says that it is ready. */
export function startProgram(options?: ProgramOptions): Promise<Program>
