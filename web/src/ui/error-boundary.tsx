import { Component, type ReactNode } from 'react'

/** Keeps the frame of the page when a screen crashes or its code does not load. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return (
      <div className="state state-error" role="alert">
        <p className="state-title">This screen did not load</p>
        <p className="state-text">The site may have been updated while you were reading. Reload the page.</p>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </div>
    )
  }
}
