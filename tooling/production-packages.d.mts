export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly libc: string
}
export function isForThisMachine(path: string, machine?: Machine): boolean
export function isForeignFile(path: string, machine?: Machine): boolean
