export * from './access.ts';
export * from './alerts.ts';
export * from './durations.ts';
export * from './gpus.ts';
export * from './identifiers.ts';
export * from './sessions.ts';
export * from './timestamps.ts';
