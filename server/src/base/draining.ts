/** Whether this process still wants new callers. Before it stops, it goes on serving for a while and says that it does not. */
export interface Draining {
  isDraining(): boolean
  begin(): void
}

export function createDraining(): Draining {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    begin() {
      isDraining = true
    },
  }
}
