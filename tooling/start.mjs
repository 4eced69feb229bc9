// npm start: builds what is stale, then runs the service in this process.
import './check-install.mjs'

import('./build.mjs').then(({ build }) => build()).then(() => import('../server/dist/main.js'))
