import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const jiti = fileURLToPath(new URL('node_modules/jiti/dist', import.meta.url));

// Files that need no packages beside them: the process, a session's thread, the check of tools, the compiler's thread,
// what stands in for pi's packages, and what draws in a terminal; the tool `holdfast extension`, and what it gives the
// tests of extensions.
export default defineConfig({
  // Jiti's own entry would look for its parts beside itself.
  resolve: { alias: { 'jiti/babel': `${jiti}/babel.cjs`, 'jiti/core': `${jiti}/jiti.cjs` } },
  build: {
    ssr: true,
    target: 'node22',
    emptyOutDir: true,
    minify: true,
    rolldownOptions: {
      input: {
        runner: 'src/start.ts',
        worker: 'src/worker/main.ts',
        schema: 'src/worker/schema.ts',
        compiler: 'src/compiler.ts',
        extension: 'src/tool/main.ts',
        hooks: 'src/testing/hooks.ts',
        testing: 'src/testing/session.ts',
        typebox: 'src/worker/pi/typebox.ts',
        'pi-tui': 'src/worker/pi/tui.ts',
        'pi-components': 'src/worker/pi/components.ts',
        'pi-custom': 'src/worker/pi/custom.ts',
        relay: 'src/relay.ts',
      },
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'shared-[name].mjs' },
    },
  },
  ssr: { noExternal: true },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
