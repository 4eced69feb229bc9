/** What one look at something around the service has shown. */
export interface Finding {
  /** A warning does not keep the service from starting. */
  readonly is: 'ok' | 'warning' | 'failed'
  /** What was found or, unless it is ok, what is wrong and how to mend it. */
  readonly text: string
}

/** Looks at one thing and changes nothing. An error that it throws counts as a failure. */
export interface Check {
  readonly name: string
  look(): Promise<Finding>
}

export interface Report {
  readonly name: string
  readonly finding: Finding
}

export const ok = (text: string): Finding => ({ is: 'ok', text })
export const warning = (text: string): Finding => ({ is: 'warning', text })
export const failed = (text: string): Finding => ({ is: 'failed', text })

export async function run({ name, look }: Check): Promise<Report> {
  return { name, finding: await look().catch((error: Error) => failed(error.message)) }
}
