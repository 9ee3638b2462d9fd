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

export interface FleetSize {
  /** The same seed, `now` and tenants give the same bytes. */
  seed: number;
  hosts: number;
  /** Total over all hosts. */
  gpus: number;
  /** Total over the whole history. */
  alerts: number;
  /** Length of the history. */
  days: number;
}

/** A fleet of realistic size. */
export const defaultFleet: FleetSize = { seed: 1, hosts: 64, gpus: 512, alerts: 20_000, days: 90 };

export const fleetRanges: Record<keyof FleetSize, readonly [min: number, max: number]> = {
  seed: [0, 0x7fff_ffff],
  hosts: [1, 100_000],
  gpus: [1, 1_000_000],
  alerts: [0, 10_000_000],
  days: [2, 3_650],
};

export interface SimulationOptions extends Partial<FleetSize> {
  /** End of the history and start of the live feed. */
  now: Date;
  tenants: Tenant[];
}

/** Validated options with their defaults. */
export interface Simulation extends FleetSize {
  /** ms since the epoch. */
  now: number;
  tenants: Tenant[];
}

/** @throws RangeError with the option, the accepted range and the value */
export function resolveOptions({ now, tenants, ...requested }: SimulationOptions): Simulation {
  if (Number.isNaN(now.getTime())) throw new RangeError('now must be a valid date');
  if (!tenants.some(({ workspaces }) => workspaces.length > 0))
    throw new RangeError('tenants must have at least one workspace');
  const size = { ...defaultFleet, ...requested };
  const ranges = { ...fleetRanges, gpus: [size.hosts, fleetRanges.gpus[1]] as const };
  for (const [name, [min, max]] of Object.entries(ranges) as [keyof FleetSize, [number, number]][]) {
    const value = size[name];
    if (!Number.isInteger(value) || value < min || value > max)
      throw new RangeError(`${name} must be an integer from ${min} to ${max}, got ${value}`);
  }
  return { ...size, now: now.getTime(), tenants };
}
