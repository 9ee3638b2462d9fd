import { signalEnd } from '../../model/health/health-signal.ts';
import type { GpuInventory } from '../records/records.ts';
import { activeChainAt } from './crash-chain.ts';
import { INVENTORY_COLUMNS, INVENTORY_FIELDS } from './gpu-inventory.ts';
import type { GpuState } from './gpu-state.ts';

type TimeColumn = 'inventory_at' | 'first_seen' | 'last_seen';
/** A row of `fleet.gpus` as it is read. */
export type GpuRow = Omit<GpuState, TimeColumn> & Record<TimeColumn, Date>;

const INVENTORY_TYPES = Object.fromEntries(
  INVENTORY_FIELDS.map((field) => [field, INVENTORY_COLUMNS[field].type]),
) as Record<keyof GpuInventory, string>;
const UNKNOWN_INVENTORY: object = Object.fromEntries(
  INVENTORY_FIELDS.map((field) => [field, INVENTORY_COLUMNS[field].unknown]),
);

/** Types of the columns that are read, without the customer. */
const READ_COLUMNS = {
  gpu_id: 'text',
  workspace_id: 'integer',
  api_key_id: 'integer',
  ...INVENTORY_TYPES,
  inventory_at: 'timestamptz',
  first_seen: 'timestamptz',
  last_seen: 'timestamptz',
  has_telemetry: 'boolean',
  latest: 'jsonb',
  health_state: 'jsonb',
  health_signals: 'jsonb',
  metric_state: 'jsonb',
} satisfies Record<keyof GpuState, string>;

/** Types of the columns that are written. The last ones are for indexes and computed from the others. */
export const GPU_COLUMNS = {
  ...READ_COLUMNS,
  critical_until: 'timestamptz',
  degraded_until: 'timestamptz',
  crash_chain_at: 'timestamptz',
};
const WRITTEN = Object.keys(GPU_COLUMNS);

/** Reads rows of `fleet.gpus`, by customer and GPU. */
export const READ_GPUS = `SELECT ${Object.keys(READ_COLUMNS).join(', ')} FROM fleet.gpus WHERE customer_id = $1 AND gpu_id = ANY ($2)`;

/** Inserts and updates rows of `fleet.gpus`, by customer, from the JSON of `toRow`. */
export const WRITE_GPUS = `INSERT INTO fleet.gpus (customer_id, ${WRITTEN.join(', ')})
  SELECT $1, ${WRITTEN.join(', ')}
  FROM jsonb_to_recordset($2) AS staged (${Object.entries(GPU_COLUMNS)
    .map((column) => column.join(' '))
    .join(', ')})
  ON CONFLICT (customer_id, gpu_id) DO UPDATE SET
    ${WRITTEN.filter((name) => name !== 'gpu_id')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

export function toRow(state: GpuState): object {
  return {
    ...UNKNOWN_INVENTORY,
    ...state,
    critical_until: signalEnd(state.health_signals, 'critical'),
    degraded_until: signalEnd(state.health_signals, 'degraded'),
    crash_chain_at: activeChainAt(state.metric_state),
  };
}

export function fromRow(row: GpuRow): GpuState {
  return {
    ...row,
    inventory_at: row.inventory_at.toISOString(),
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
  };
}
