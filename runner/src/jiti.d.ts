// The two parts of jiti used here. Jiti's own entry loads them by paths that a bundle lacks.

declare module 'jiti/babel' {
  interface Failure extends Error {
    loc?: { line: number; column: number };
  }
  export default function transform(options: {
    source: string;
    filename: string;
    ts: boolean;
    async: boolean;
    interopDefault: boolean;
    retainLines: boolean;
    babel: { plugins: unknown[] };
  }): { code: string; error?: Failure };
}

declare module 'jiti/core' {
  import type { Jiti, JitiOptions } from 'jiti';
  export interface JitiHost {
    onError(error: Error): never;
    nativeImport(id: string): Promise<unknown>;
    createRequire(file: string): unknown;
  }
  export default function createJiti(file: string, options: JitiOptions, host: JitiHost): Jiti;
}
