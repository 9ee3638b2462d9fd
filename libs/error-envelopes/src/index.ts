export * from './error-catalog.ts';
export * from './domain-error.ts';
export * from './echo.ts';
export * from './envelopes.ts';
