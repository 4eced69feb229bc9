/** What to do where packages cannot be installed. */
export const INSTALL_COMMAND: string
/** Whether packages can be installed here. */
export function canInstall(): boolean
/** Installs what is missing of these, or of everything. Returns the names of what is still missing. */
export function provision(names?: readonly string[]): string[]
