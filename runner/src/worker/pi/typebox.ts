// The package typebox, for extensions that have not installed it. A file of its own: see modules.ts.

export * as main from 'typebox';
export * as compile from 'typebox/compile';
export * as value from 'typebox/value';
