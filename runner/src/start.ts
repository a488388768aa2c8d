// The runner's entry. It checks the Node version before loading code that an older Node cannot
// parse. Use only syntax here that every Node with modules understands.

import { engines } from '../package.json';

const wanted = engines.node.replace('>=', '');

/** Whether a version such as 22.19.0 is at least another, such as 22.19. */
function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

if (!isAtLeast(process.versions.node, wanted)) {
  console.error(
    `Node ${process.versions.node} (${process.execPath}) is too old: extensions need Node ${wanted} or newer`,
  );
  process.exit(2);
}
await import('./main.ts');
