// The numbers by which WebAssembly knows the errors of the system.
const CODES: Readonly<Record<number, string>> = { 2: 'EACCES', 19: 'EDQUOT', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

/** The system's name for what the embedded engine throws about its files: neither an Error nor a message, only a number. */
export function engineCode(error: unknown): string | undefined {
  const { name, errno } = (error ?? {}) as { name?: unknown; errno?: unknown }
  return name === 'ErrnoError' && typeof errno === 'number' ? CODES[errno] : undefined
}
