/** Whose fleet it is: the caller's customers, with the ids that the account service gave them. */
export interface Tenant {
  customer_id: number;
  workspaces: TenantWorkspace[];
}

export interface TenantWorkspace {
  workspace_id: number;
  name: string;
  /** Keys of agents in this workspace; empty when it has none. */
  api_key_ids: number[];
}

export interface SimulationOptions {
  /** Same seed, `now` and tenants: the same bytes. Default 1. */
  seed?: number;
  /** The end of the history, from which the live feed goes on. */
  now: Date;
  tenants: Tenant[];
  /** Default 64. */
  hosts?: number;
  /** Over all hosts; default 512. */
  gpus?: number;
  /** Over the whole history; default 20,000. */
  alerts?: number;
  /** Length of the history; default 90. */
  days?: number;
}

/** The options with their defaults, checked. */
export interface Simulation {
  seed: number;
  /** Milliseconds since the epoch. */
  now: number;
  tenants: Tenant[];
  hosts: number;
  gpus: number;
  alerts: number;
  days: number;
}

/**
 * @throws RangeError that names the option and what it should be
 */
export function resolved(options: SimulationOptions): Simulation {
  const { seed = 1, now, tenants, hosts = 64, gpus = 512, alerts = 20_000, days = 90 } = options;
  whole('seed', seed, 0, 0x7fff_ffff);
  whole('hosts', hosts, 1, 100_000);
  whole('gpus', gpus, hosts, 1_000_000);
  whole('alerts', alerts, 0, 10_000_000);
  whole('days', days, 2, 3_650);
  if (Number.isNaN(now.getTime())) throw new RangeError('now must be a valid date');
  checkTenants(tenants);
  return { seed, now: now.getTime(), tenants, hosts, gpus, alerts, days };
}

/** Tenants come from a file as often as not, so their form is checked as well. */
function checkTenants(tenants: Tenant[]): void {
  if (!Array.isArray(tenants)) throw new RangeError('tenants must be a list of customers');
  if (tenants.length === 0) throw new RangeError('tenants must list at least one customer');
  for (const { customer_id, workspaces } of tenants) {
    whole('customer_id', customer_id, 1, 0x7fff_ffff);
    if (workspaces.length === 0)
      throw new RangeError(`customer ${customer_id} must have at least one workspace`);
    for (const { workspace_id, name, api_key_ids } of workspaces) {
      whole('workspace_id', workspace_id, 1, 0x7fff_ffff);
      if (typeof name !== 'string' || !Array.isArray(api_key_ids)) {
        throw new RangeError(`workspace ${workspace_id} must have a name and api_key_ids`);
      }
      for (const id of api_key_ids) whole('api_key_ids', id, 1, 0x7fff_ffff);
    }
  }
}

function whole(name: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} must be a whole number from ${low} to ${high}, not ${value}`);
  }
}
