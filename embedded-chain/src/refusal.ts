/** Why the chain in a folder does not start. Retrying does not help. */
export type Reason =
  | { readonly is: 'damaged'; readonly folder: string; readonly why: string }
  /** The chain is gone and must not be created again. */
  | { readonly is: 'missing'; readonly folder: string; readonly file: string }
  /** The chain belongs to another installation. */
  | { readonly is: 'foreign'; readonly folder: string; readonly identity: string; readonly owner: string }
  | { readonly is: 'newer'; readonly folder: string; readonly version: number; readonly readable: number }
  | { readonly is: 'other operator'; readonly folder: string; readonly operator: string }
  /** Its contracts were deployed by another account than that of the given key. */
  | { readonly is: 'other bank'; readonly folder: string; readonly bank: string }
  | { readonly is: 'folder in use'; readonly folder: string }
  | { readonly is: 'port in use'; readonly port: number; readonly code: string }

/** The program that starts the chain can translate it into its own terms, with a remedy. */
export class ChainRefusal extends Error {
  override readonly name = 'ChainRefusal'

  constructor(readonly reason: Reason) {
    super(messageOf(reason))
  }
}

function messageOf(reason: Reason): string {
  switch (reason.is) {
    case 'damaged':
      return `The chain in ${reason.folder} cannot be used: ${reason.why.replace(/\.$/, '')}.`
    case 'missing':
      return `The chain in ${reason.folder} is missing: ${reason.file} is not there.`
    case 'foreign':
      return `The chain in ${reason.folder} belongs to ${reason.owner}, not to ${reason.identity}.`
    case 'newer':
      return `The chain in ${reason.folder} has files of version ${reason.version}; this program reads version ${reason.readable}.`
    case 'other operator':
      return `The chain in ${reason.folder} was made with another operator, ${reason.operator}.`
    case 'other bank':
      return `The chain in ${reason.folder} was made with another bank, ${reason.bank}.`
    case 'folder in use':
      return `${reason.folder} is in use by another process.`
    case 'port in use':
      return `Port ${reason.port} cannot be used (${reason.code}).`
  }
}
