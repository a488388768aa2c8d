// Which files are an extension's own code. Packages that it has installed are not: Node loads them
// once and keeps them over reloads. An extension can be such a package itself; then its own code is
// what lies in its folder, without the packages in there.

import { realpathSync } from 'node:fs';

const packages = '/node_modules/';

/** Tells which files belong to packages, for an extension with this entry. */
export function packagesOf(entry: string): (file: string) => boolean {
  const roots = [packageFolder(entry), packageFolder(realPath(entry))];
  return (file) => {
    const root = roots.find((each) => file.startsWith(`${each}/`)) ?? '';
    return file.slice(root.length).includes(packages);
  };
}

/** The folder of the package that a file belongs to, without a slash at its end; empty if it belongs to none. */
function packageFolder(file: string): string {
  const at = file.lastIndexOf(packages) + packages.length;
  if (at < packages.length) return '';
  const [scope = '', name = ''] = file.slice(at).split('/');
  return `${file.slice(0, at)}${scope.startsWith('@') ? `${scope}/${name}` : scope}`;
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // Reading it will say what is wrong.
  }
}
