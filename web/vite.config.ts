import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compressed } from './scripts/compressed.ts';

const daemon = process.env.HOLDFAST_ADDRESS ?? '127.0.0.1:7420';

// The page that becomes part of the daemon's program. `npm run dev` shows it with a running daemon's terminals.
export default defineConfig({
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // The page's security policy takes no inlined files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000, // scripts/size.ts has the budget that counts.
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/ws': { target: `ws://${daemon}`, ws: true, changeOrigin: true, rewriteWsOrigin: true },
      '/sign-': { target: `http://${daemon}`, changeOrigin: true, headers: { origin: `http://${daemon}` } },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
  },
});
