import type { GpuInventory, GpuReadings } from '../records/records.ts';

/** A field of DCGM that this service keeps. */
export interface DcgmField {
  /** DCGM's field number: it stays when names change between versions. */
  number: number;
  /** The names that exporters have given it. */
  names: string[];
  /** The range in which a value makes sense; what lies outside is refused. */
  min: number;
  max: number;
  /** Counts, codes and masks have no fraction. */
  whole?: true;
  apply(target: DcgmReadings, value: number | null): void;
}

/** The readings of one GPU in one scrape, with what they are computed from. */
export interface DcgmReadings {
  readings: GpuReadings;
  inventory: GpuInventory;
  framebufferFreeMib?: number | null;
  nvlinkErrors: (number | null)[];
}

type NumericReading = Exclude<keyof GpuReadings, 'row_remap_failed' | 'row_remap_pending'>;

const reading =
  (name: NumericReading) =>
  (target: DcgmReadings, value: number | null): void => {
    Object.assign(target.readings, { [name]: value });
  };
const flag =
  (name: 'row_remap_failed' | 'row_remap_pending') =>
  (target: DcgmReadings, value: number | null): void => {
    target.readings[name] = value === null ? null : value > 0;
  };
const nvlink = (target: DcgmReadings, value: number | null): void => {
  target.nvlinkErrors.push(value);
};

const MOST = 1e9;
const COUNTER_MOST = Number.MAX_SAFE_INTEGER;

/** DCGM's fields and ours (docs/importing.md). Engine activity (1001) is handled apart: it stands in for 203 under MIG. */
export const DCGM_FIELDS: readonly DcgmField[] = [
  { number: 203, names: ['DCGM_FI_DEV_GPU_UTIL'], min: 0, max: 100, apply: reading('utilization_pct') },
  { number: 252, names: ['DCGM_FI_DEV_FB_USED'], min: 0, max: MOST, apply: reading('memory_used_mib') },
  { number: 250, names: ['DCGM_FI_DEV_FB_TOTAL'], min: 0, max: MOST, apply: reading('memory_total_mib') },
  {
    number: 251,
    names: ['DCGM_FI_DEV_FB_FREE'],
    min: 0,
    max: MOST,
    apply: (target, value) => {
      target.framebufferFreeMib = value;
    },
  },
  { number: 150, names: ['DCGM_FI_DEV_GPU_TEMP'], min: -100, max: 300, apply: reading('temperature_c') },
  {
    number: 158,
    names: ['DCGM_FI_DEV_SLOWDOWN_TEMP'],
    min: 0,
    max: 300,
    apply: (target, value) => {
      target.inventory.slowdown_temperature_c = value;
    },
  },
  {
    number: 159,
    names: ['DCGM_FI_DEV_SHUTDOWN_TEMP'],
    min: 0,
    max: 300,
    apply: (target, value) => {
      target.inventory.shutdown_temperature_c = value;
    },
  },
  { number: 155, names: ['DCGM_FI_DEV_POWER_USAGE'], min: 0, max: MOST, apply: reading('power_draw_w') },
  {
    number: 164,
    names: ['DCGM_FI_DEV_ENFORCED_POWER_LIMIT'],
    min: 0,
    max: MOST,
    apply: (target, value) => {
      target.readings.power_limit_w = value ?? target.readings.power_limit_w ?? null;
    },
  },
  {
    number: 160,
    names: ['DCGM_FI_DEV_POWER_MGMT_LIMIT'],
    min: 0,
    max: MOST,
    // The requested limit stands in for the enforced one (164), whichever line comes first.
    apply: (target, value) => {
      target.readings.power_limit_w ??= value;
    },
  },
  { number: 191, names: ['DCGM_FI_DEV_FAN_SPEED'], min: 0, max: 100, apply: reading('fan_pct') },
  { number: 100, names: ['DCGM_FI_DEV_SM_CLOCK'], min: 0, max: MOST, apply: reading('sm_clock_mhz') },
  { number: 101, names: ['DCGM_FI_DEV_MEM_CLOCK'], min: 0, max: MOST, apply: reading('memory_clock_mhz') },
  {
    number: 230,
    names: ['DCGM_FI_DEV_XID_ERRORS'],
    min: 0,
    max: 100_000,
    whole: true,
    apply: reading('xid_last_code'),
  },
  {
    number: 112,
    names: ['DCGM_FI_DEV_CLOCK_THROTTLE_REASONS', 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: reading('throttle_reasons'),
  },
  {
    number: 310,
    names: ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: reading('ecc_single_bit_total'),
  },
  {
    number: 311,
    names: ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: reading('ecc_double_bit_total'),
  },
  {
    number: 395,
    names: ['DCGM_FI_DEV_ROW_REMAP_FAILURE'],
    min: 0,
    max: MOST,
    apply: flag('row_remap_failed'),
  },
  {
    number: 396,
    names: ['DCGM_FI_DEV_ROW_REMAP_PENDING'],
    min: 0,
    max: MOST,
    apply: flag('row_remap_pending'),
  },
  {
    number: 409,
    names: ['DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: nvlink,
  },
  {
    number: 429,
    names: ['DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: nvlink,
  },
  {
    number: 439,
    names: ['DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: nvlink,
  },
  {
    number: 202,
    names: ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER'],
    min: 0,
    max: COUNTER_MOST,
    whole: true,
    apply: reading('pcie_replays_total'),
  },
];

/** 1001, a fraction of the time any kernel ran: what there is under MIG, where 203 is blank. */
export const ENGINE_ACTIVE = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE';

export const FIELD_BY_NAME = new Map(
  DCGM_FIELDS.flatMap((field) => field.names.map((name) => [name, field] as const)),
);

/**
 * DCGM's sentinels for "no value" (dcgm_structs.h, DCGM_*_BLANK and above): a reading that is blank is null, never a
 * number.
 */
export function isBlank(value: number): boolean {
  if (Number.isNaN(value)) return true;
  if (Number.isInteger(value) && value >= 0x7ffffff0 && value <= 0x7fffffff) return true;
  return value >= 140_737_488_355_328;
}
