// Lets an extension's tests import the module beside this file, without installing anything.

import { registerHooks } from 'node:module';

const testing = new URL('./testing.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@holdfast/extension/testing'
      ? { url: testing, shortCircuit: true }
      : next(specifier, context),
});
