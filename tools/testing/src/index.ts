export { committedSnapshot } from './committed-snapshot.ts';
export { cpuTimeOf } from './cpu-time.ts';
export { type DedicatedServer, PRIMARY_SETTINGS, startDedicatedServer } from './dedicated-server.ts';
export { imageEnvironment } from './image-environment.ts';
export { schemaDifferences } from './schema-differences.ts';
export { Stopwatch } from './stopwatch.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
