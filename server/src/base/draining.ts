/** Whether this process still wants new callers. Before it stops, or when an operator asks for it, it goes on serving and says that it does not. */
export interface Draining {
  isDraining(): boolean
  begin(): void
}

/** `isAsked` says whether an operator asks for it, who can change their mind. */
export function createDraining(isAsked: () => boolean = () => false): Draining {
  let isDraining = false
  return {
    isDraining: () => isDraining || isAsked(),
    begin() {
      isDraining = true
    },
  }
}
