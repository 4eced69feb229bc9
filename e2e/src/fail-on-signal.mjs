// Preloaded by a test: mistakes that nothing in the program expects.
process.on('SIGUSR2', () => void Promise.reject(new Error('a promise without an owner')))
process.on('SIGWINCH', () =>
  setTimeout(() => {
    throw new Error('an exception out of the blue')
  }),
)
