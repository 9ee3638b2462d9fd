import type { GpuInventory } from '../records/records.ts';

export const DEFAULT_REPORT_INTERVAL_SECONDS = 60;

/** The columns of `fleet.gpus` with the fields of a `gpu` record: their types, and their values when a field is unknown. */
export const INVENTORY_COLUMNS = {
  vendor: { type: 'text', unknown: '' },
  model: { type: 'text', unknown: '' },
  compute_stack: { type: 'text', unknown: '' },
  driver_version: { type: 'text', unknown: '' },
  firmware_version: { type: 'text', unknown: '' },
  hostname: { type: 'text', unknown: '' },
  pcie_address: { type: 'text', unknown: '' },
  serial_no: { type: 'text', unknown: '' },
  mig_enabled: { type: 'boolean', unknown: false },
  slowdown_temperature_c: { type: 'real', unknown: null },
  shutdown_temperature_c: { type: 'real', unknown: null },
  memory_temperature_limit_c: { type: 'real', unknown: null },
  report_interval_seconds: { type: 'integer', unknown: DEFAULT_REPORT_INTERVAL_SECONDS },
} as const satisfies {
  [Field in keyof Required<GpuInventory>]: { type: string; unknown: GpuInventory[Field] };
};

export const INVENTORY_FIELDS = Object.keys(INVENTORY_COLUMNS) as (keyof GpuInventory)[];
