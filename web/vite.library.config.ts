import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The components, for pages that embed them. React and xterm.js come from the page's own packages.
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  build: {
    outDir: 'library',
    emptyOutDir: false, // The types are there already.
    target: 'es2023',
    sourcemap: true,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'index', cssFileName: 'style' },
    rollupOptions: { external: [/^react(-dom)?(\/|$)/, /^@xterm\/(?!xterm\/css)/] },
  },
});
