import type { Act } from '../acts.js'

/** What happens at one minute of the past. Its acts are performed together, so none may depend on another. */
export class Moment {
  readonly acts: Act[] = []
  private readonly busy = new Set<string>()
  private readonly consequences: (() => void)[] = []

  constructor(
    readonly minute: number,
    private readonly firstNumber: number,
  ) {}

  /** Adds an act and returns its number. */
  add(act: Act): number {
    this.acts.push(act)
    return this.firstNumber + this.acts.length - 1
  }

  /** Whether somebody trades, or is traded, at this moment already. */
  isBusy(...names: readonly string[]): boolean {
    return names.some((name) => this.busy.has(name))
  }

  occupy(...names: readonly string[]): void {
    for (const name of names) this.busy.add(name)
  }

  /** Does something when the moment has passed. */
  afterwards(consequence: () => void): void {
    this.consequences.push(consequence)
  }

  pass(): void {
    for (const consequence of this.consequences) consequence()
  }
}
