export * from './catalogue.ts';
export * from './domain-error.ts';
export * from './envelopes.ts';
export * from './error-filter.ts';
