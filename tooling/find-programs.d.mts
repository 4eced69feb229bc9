/** The file of the first of these programs on the path. */
export function findOnPath(...names: readonly string[]): string | undefined
/** The file of Redis or Valkey on this machine. */
export function findRedis(): string | undefined
/** The file of nginx on this machine. */
export function findNginx(): string | undefined
/** The file of the browser that CHROMIUM names, or of the one on the path. */
export function findChromium(): string | undefined
/** The file of the same browser built without windows, unless CHROMIUM names another one. */
export function findHeadlessChromium(): string | undefined
