// The runner's first lines: an older Node would stop at something that it does not know, and say only that.
// It is read by every Node that knows modules, so it has nothing newer in it.

import { engines } from '../package.json';

const wanted = engines.node.replace('>=', '');

/** Whether this version, as 22.19.0, is at least that one, as 22.19. */
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
