/** A customer that owns a part of the fleet, with its ids in account-service. */
export interface Tenant {
  customer_id: number;
  workspaces: TenantWorkspace[];
}

export interface TenantWorkspace {
  workspace_id: number;
  name: string;
  /** API keys of the agents in this workspace; may be empty. */
  api_key_ids: number[];
}

export interface SimulationOptions {
  /** The same seed, `now` and tenants give the same bytes. Default 1. */
  seed?: number;
  /** End of the history and start of the live feed. */
  now: Date;
  tenants: Tenant[];
  /** Default 64. */
  hosts?: number;
  /** Total over all hosts. Default 512. */
  gpus?: number;
  /** Total over the whole history. Default 20,000. */
  alerts?: number;
  /** Length of the history. Default 90. */
  days?: number;
}

/** Validated options with their defaults. */
export interface Simulation {
  seed: number;
  /** ms since the epoch. */
  now: number;
  tenants: Tenant[];
  hosts: number;
  gpus: number;
  alerts: number;
  days: number;
}

/** @throws RangeError with the option, the accepted range and the value */
export function resolveOptions(options: SimulationOptions): Simulation {
  const { seed = 1, now, tenants, hosts = 64, gpus = 512, alerts = 20_000, days = 90 } = options;
  checkInteger('seed', seed, 0, 0x7fff_ffff);
  checkInteger('hosts', hosts, 1, 100_000);
  checkInteger('gpus', gpus, hosts, 1_000_000);
  checkInteger('alerts', alerts, 0, 10_000_000);
  checkInteger('days', days, 2, 3_650);
  if (Number.isNaN(now.getTime())) throw new RangeError('now must be a valid date');
  checkTenants(tenants);
  return { seed, now: now.getTime(), tenants, hosts, gpus, alerts, days };
}

/** Validates the shape too, because tenants usually come from a file. */
function checkTenants(tenants: Tenant[]): void {
  if (!Array.isArray(tenants)) throw new RangeError('tenants must be a list of customers');
  if (tenants.length === 0) throw new RangeError('tenants must list at least one customer');
  for (const { customer_id, workspaces } of tenants) {
    checkInteger('customer_id', customer_id, 1, 0x7fff_ffff);
    if (workspaces.length === 0)
      throw new RangeError(`customer ${customer_id} must have at least one workspace`);
    for (const { workspace_id, name, api_key_ids } of workspaces) {
      checkInteger('workspace_id', workspace_id, 1, 0x7fff_ffff);
      if (typeof name !== 'string' || !Array.isArray(api_key_ids)) {
        throw new RangeError(`workspace ${workspace_id} must have a name and api_key_ids`);
      }
      for (const id of api_key_ids) checkInteger('api_key_ids', id, 1, 0x7fff_ffff);
    }
  }
}

function checkInteger(name: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} must be an integer from ${low} to ${high}, got ${value}`);
  }
}
