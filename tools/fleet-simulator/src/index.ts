export { simulateHistory } from './history.ts';
export type { SimulationOptions, Tenant, TenantWorkspace } from './options.ts';
