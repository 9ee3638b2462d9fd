import { signalEnd } from '../../model/health/health-signal.ts';
import type { GpuInventory } from '../records/records.ts';
import { activeChainAt } from './crash-chain.ts';
import { INVENTORY_COLUMNS, INVENTORY_FIELDS } from './gpu-inventory.ts';
import type { GpuState } from './gpu-state.ts';

/** A row of `fleet.gpus`, as far as the importer reads it. */
export interface GpuRow
  extends
    Required<GpuInventory>,
    Pick<GpuState, 'latest'>,
    Record<'inventory_at' | 'first_seen' | 'last_seen', Date> {
  gpu_id: string;
  workspace_id: number;
  api_key_id: number | null;
  has_telemetry: boolean;
  health_state: GpuState['healthState'];
  health_signals: GpuState['healthSignals'];
  metric_state: GpuState['metricState'];
}

interface Column {
  type: string;
  of(state: GpuState): unknown;
}

/** All columns that are read, without the customer. The order is that of the statements. */
const READ_COLUMNS: Record<keyof GpuRow, Column> = {
  gpu_id: { type: 'text', of: ({ gpuId }) => gpuId },
  workspace_id: { type: 'integer', of: ({ workspaceId }) => workspaceId },
  api_key_id: { type: 'integer', of: ({ apiKeyId }) => apiKeyId },
  ...(Object.fromEntries(
    INVENTORY_FIELDS.map((field): [string, Column] => {
      const { type, unknown } = INVENTORY_COLUMNS[field];
      return [field, { type, of: ({ inventory }) => inventory[field] ?? unknown }];
    }),
  ) as Record<keyof GpuInventory, Column>),
  inventory_at: { type: 'timestamptz', of: ({ inventoryAt }) => inventoryAt },
  first_seen: { type: 'timestamptz', of: ({ firstSeen }) => firstSeen },
  last_seen: { type: 'timestamptz', of: ({ lastSeen }) => lastSeen },
  has_telemetry: { type: 'boolean', of: ({ hasTelemetry }) => hasTelemetry },
  latest: { type: 'jsonb', of: ({ latest }) => latest },
  health_state: { type: 'jsonb', of: ({ healthState }) => healthState },
  health_signals: { type: 'jsonb', of: ({ healthSignals }) => healthSignals },
  metric_state: { type: 'jsonb', of: ({ metricState }) => metricState },
};

/** Columns for indexes, computed from the others. */
const WRITTEN_COLUMNS: Record<string, Column> = {
  ...READ_COLUMNS,
  critical_until: { type: 'timestamptz', of: ({ healthSignals }) => signalEnd(healthSignals, 'critical') },
  degraded_until: { type: 'timestamptz', of: ({ healthSignals }) => signalEnd(healthSignals, 'degraded') },
  crash_chain_at: { type: 'timestamptz', of: ({ metricState }) => activeChainAt(metricState) },
};

const WRITTEN = Object.keys(WRITTEN_COLUMNS);
export const GPU_COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN_COLUMNS).map(([name, { type }]) => [name, type]),
);

/** Parameters: the customer, and the ids. */
export const READ_GPUS = `SELECT ${Object.keys(READ_COLUMNS).join(', ')} FROM fleet.gpus WHERE customer_id = $1 AND gpu_id = ANY ($2)`;

/** Parameters: the customer, and the rows of `toRow` as JSON. */
export const WRITE_GPUS = `INSERT INTO fleet.gpus (customer_id, ${WRITTEN.join(', ')})
  SELECT $1, ${WRITTEN.join(', ')}
  FROM jsonb_to_recordset($2) AS staged (${[...GPU_COLUMNS].map(([name, type]) => `${name} ${type}`).join(', ')})
  ON CONFLICT (customer_id, gpu_id) DO UPDATE SET
    ${WRITTEN.filter((name) => name !== 'gpu_id')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

export function toRow(state: GpuState): object {
  return Object.fromEntries(Object.entries(WRITTEN_COLUMNS).map(([name, { of }]) => [name, of(state)]));
}

export function fromRow(row: GpuRow): GpuState {
  return {
    gpuId: row.gpu_id,
    workspaceId: row.workspace_id,
    apiKeyId: row.api_key_id,
    inventory: Object.fromEntries(INVENTORY_FIELDS.map((field) => [field, row[field]])),
    inventoryAt: row.inventory_at.toISOString(),
    firstSeen: row.first_seen.toISOString(),
    lastSeen: row.last_seen.toISOString(),
    hasTelemetry: row.has_telemetry,
    latest: row.latest,
    healthState: row.health_state,
    healthSignals: row.health_signals,
    metricState: row.metric_state,
  };
}
