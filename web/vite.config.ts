import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev:web` shows each change at once; what it asks goes on to a Forage that runs. */
const forage = process.env.FORAGE_ADDRESS ?? 'http://127.0.0.1:1968'
/** Under /session/ are also files of ours. */
const operations = ['/v1', '^/session(/first-user)?$', '/docs', '/readyz']

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  // The name that the page was asked for goes on with it: Forage takes changes only from its own origin.
  server: {
    proxy: Object.fromEntries(operations.map(path => [path, { target: forage, changeOrigin: false }])),
  },
  build: {
    target: 'es2023',
    // Browsers that know light-dark() themselves: what is written in its place for older ones does not heed our switch.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    emptyOutDir: true,
    // Every file has its own address, so that the policy of the page needs no data: in it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
})
