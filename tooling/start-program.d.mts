export interface ProgramOptions {
  /** The folder of the repository whose program is started. Default: this one. */
  readonly checkout?: string
  /** Variables in addition to the defaults: free ports, warnings, no rate limits. The program inherits none of the caller's. */
  readonly env?: Readonly<Record<string, string>>
  /** The absolute path of a data folder, which is kept. Default: a new one, removed at the end. */
  readonly dataDir?: string
  /** The Node executable. Default: the current one. */
  readonly node?: string
  /** The file to run. Default: the compiled service. */
  readonly script?: string
  readonly nodeFlags?: readonly string[]
  /** Whether Ctrl-C reaches only the caller. */
  readonly detached?: boolean
  /** Prints the program's error output instead of collecting it for `output`. */
  readonly showErrors?: boolean
  /** The absolute path of a file for its log, which is appended to. Default: it is kept in memory. */
  readonly logFile?: string
  /** Whether `tellTime` moves its clock; needs the variable CLOCK. */
  readonly isToldTime?: boolean
  /** The number of the account that runs it; only root can choose another than its own, which is the default. */
  readonly account?: number
  /** Default: no limit. */
  readonly readyWithinMs?: number
}

/** The running compiled program. */
export interface Program {
  /** Empty for a worker, which opens no port. */
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Resolves with the exit code when the program has ended for any reason. */
  readonly ended: Promise<number | null>
  /** Everything it has printed so far. */
  output(): string
  /** Stops the program gracefully and returns its exit code. */
  stop(): Promise<number | null>
  /** Kills the program without warning. */
  kill(): Promise<void>
}

/** A program that may be told the time. */
export interface ToldProgram extends Program {
  /** Tells a program with the variable CLOCK what time it is, or that it is the real one from now on. */
  tellTime(time: Date | 'real'): Promise<void>
}

/** Whether the service of a checkout is built; default: this checkout. */
export function isBuilt(checkout?: string): boolean
/** Starts the compiled program in its own process and waits until it is ready. */
export function startProgram(options?: ProgramOptions): Promise<ToldProgram>
