import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'
import { compress } from './compress.ts'

const SERVER = process.env.ROOKERY_URL ?? 'http://localhost:3000'

// Under /local/ both the page and the interface live; what asks for HTML wants the page.
const local: ProxyOptions = {
  target: SERVER,
  bypass: ({ method, headers }) =>
    method === 'GET' && headers.accept?.includes('text/html') ? '/index.html' : undefined,
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compress()],
  // Packages of this repository are bundled from their source.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    // Tells the server which files a screen is made of.
    manifest: true,
    emptyOutDir: true,
    assetsDir: 'assets',
    // The policy of the page allows no inline script, and every browser that runs it preloads modules itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The pages beside the web app, which the server renders, have only stylesheets of ours.
      input: ['index.html', 'src/guide/guide.css', 'src/reference/reference.css'],
      output: {
        // What changes rarely keeps its name between releases, and a screen arrives in one file.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\// },
            { name: 'sdk', test: /node_modules\/(typebox|eventsource-parser)\/|\/(api|sdk)\/src\// },
            { name: 'shared', test: /web\/src\/(ui|api|format|router|live)\// },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/v1': SERVER,
      '/media': SERVER,
      '/local': local,
      '/openapi.json': SERVER,
      '/docs': SERVER,
      '/guide': SERVER,
    },
  },
})
