import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Simulation, Tenant, TenantWorkspace } from '../options.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import type { WorkloadKind } from '../telemetry/programs.ts';
import { gpuModels, type GpuModel } from './gpu-models.ts';
import { rackSlots, type RackSlot, type XidSource } from './racks.ts';

/** Tenant fields of every record. */
export interface Owner {
  customer_id: number;
  workspace_id: number | null;
  api_key_id: number | null;
}

export interface Host {
  index: number;
  owner: Owner;
  workspaceName: string;
  hostname: string;
  /** UUID that the agent reports. */
  hostId: string;
  cpus: number;
  /** Milliseconds since the epoch. */
  bootedAt: number;
  xidSource: XidSource;
  workload: WorkloadKind;
  /** Hour of the highest load, UTC. */
  busiestHour: number;
  /** Offset of its reads within each 15 s interval, so that hosts are not all read at once. */
  phaseMs: number;
  model: GpuModel;
  gpus: Gpu[];
}

export interface Gpu {
  index: number;
  host: Host;
  gpuId: string;
  model: GpuModel;
  computeStack: string;
  driverVersion: string;
  firmwareVersion: string;
  pcieAddress: string;
  /** Empty for a virtual GPU. */
  serialNo: string;
  migEnabled: boolean;
}

export interface Fleet {
  hosts: Host[];
  gpus: Gpu[];
}

/** Builds the fleet of all tenants. Workspaces get hosts round-robin; GPUs are spread evenly over the hosts. */
export function buildFleet(simulation: Simulation): Fleet {
  const workspaces = simulation.tenants.flatMap((tenant) =>
    tenant.workspaces.map((workspace) => ({ tenant, workspace })),
  );
  const hosts: Host[] = [];
  const gpus: Gpu[] = [];
  const hostsOf = new Map<Tenant, number>();
  for (let index = 0; index < simulation.hosts; index++) {
    const { tenant, workspace } = workspaces[index % workspaces.length]!;
    const ordinal = hostsOf.get(tenant) ?? 0;
    hostsOf.set(tenant, ordinal + 1);
    const slot = rackSlots[ordinal % rackSlots.length]!;
    const host = buildHost(simulation, index, tenant, workspace, slot, index % workspaces.length);
    const end = Math.floor(((index + 1) * simulation.gpus) / simulation.hosts);
    for (let position = 0; gpus.length < end; position++) {
      const gpu = buildGpu(simulation, host, slot, gpus.length, position);
      host.gpus.push(gpu);
      gpus.push(gpu);
    }
    hosts.push(host);
  }
  return { hosts, gpus };
}

function buildHost(
  { seed, now, hosts }: Simulation,
  index: number,
  { customer_id }: Tenant,
  { workspace_id, name, api_key_ids }: TenantWorkspace,
  slot: RackSlot,
  site: number,
): Host {
  const random = new SeededRandom(seed, 'host', index);
  const model = gpuModels[slot.model];
  return {
    index,
    owner: {
      customer_id,
      workspace_id,
      api_key_id: api_key_ids.length > 0 ? random.pick(api_key_ids) : null,
    },
    workspaceName: name,
    hostname: hostnameOf(random, site, name, slot.model, index),
    hostId: uuidOf(seed, 'host', index),
    cpus: random.pick(model.board ? [96, 128, 192, 224] : [32, 48]),
    bootedAt: now - Math.round(random.between(95, 160) * DAY_MS),
    xidSource: slot.xidSource,
    workload: slot.workload,
    busiestHour: [13, 20, 15, 7, 17][site % 5]!,
    phaseMs: Math.floor((index * 15 * SECOND_MS) / hosts),
    model,
    gpus: [],
  };
}

/** Returns a hostname in one of three naming schemes, chosen by site. */
function hostnameOf(
  random: SeededRandom,
  site: number,
  workspace: string,
  model: string,
  index: number,
): string {
  const slug = slugOf(workspace);
  const number = String(index + 1).padStart(2, '0');
  if (site % 3 === 0) return `${slug}-${model}-${number}`;
  if (site % 3 === 1) {
    return `ip-10-${random.integer(16, 63)}-${random.integer(0, 255)}-${index + 10}.eu-central-1.compute.internal`;
  }
  return `gpu${number}.${slug}.internal`;
}

function buildGpu({ seed }: Simulation, host: Host, slot: RackSlot, index: number, position: number): Gpu {
  const random = new SeededRandom(seed, 'gpu', index);
  // The GPUs of a host share its image: the same driver and compute stack, mostly the same firmware.
  const image = new SeededRandom(seed, 'image', host.index);
  const { model } = host;
  const buses = model.pcieBuses;
  const domain = String(Math.floor(position / buses.length)).padStart(8, '0');
  const pcieAddress = `${domain}:${buses[position % buses.length]!}:00.0`;
  const guest = `vm-${slugOf(host.workspaceName)}-${String(index % 1_000).padStart(3, '0')}`;
  return {
    index,
    host,
    gpuId: model.board ? `GPU-${uuidOf(seed, 'gpu', index)}` : `${host.hostname}|${pcieAddress}|${guest}`,
    model,
    computeStack: image.pick(model.computeStacks),
    driverVersion: image.pick(model.driverVersions),
    firmwareVersion: random.chance(0.8) ? model.firmwareVersions[0]! : random.pick(model.firmwareVersions),
    pcieAddress,
    serialNo: !model.board
      ? ''
      : model.vendor === 'AMD'
        ? `6922${random.digits(8)}`
        : `165${random.digits(10)}`,
    migEnabled: model.canMig && slot.mig === true && position % 2 === 0,
  };
}

function slugOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 24) || 'fleet'
  );
}
