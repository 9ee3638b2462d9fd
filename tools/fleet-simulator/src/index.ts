export { simulateHistory } from './history.ts';
export { simulateLive, type Clock, type LiveOptions } from './live.ts';
export type { SimulationOptions, Tenant } from './options.ts';
export { writeLines } from './write-lines.ts';
