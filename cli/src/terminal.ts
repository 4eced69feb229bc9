/** Where a command reads from and writes to. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person reads the output. */
  readonly isInteractive: boolean
  /** Width of the screen in columns; infinite when there is no screen. */
  readonly columns: number
  /** The answer. */
  write(text: string): void
  /** Everything that is not the answer. */
  note(text: string): void
  readInput(): Promise<string>
}

export function openTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process
  // A reader such as `head` may close the pipe before everything is written.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  return {
    env,
    isInteractive: stdout.isTTY === true,
    columns: stdout.columns ?? Number.POSITIVE_INFINITY,
    write: (text) => void stdout.write(text),
    note: (text) => void stderr.write(text),
    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}
