import { MAX_SUMMED_COUNTER } from '../../records/limits.ts';
import { type ExporterField, field, XID } from '../exporters/exporter-field.ts';
import type { PrometheusSample } from '../exporters/prometheus-line.ts';

/** Number of dcgm-exporter's counts of the XIDs of the last minutes. It is internal: DCGM has no such field. */
const XID_WINDOW = 10_230;

const counter = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true } as const;
const summedCounter = { ...counter, max: MAX_SUMMED_COUNTER } as const;
const flag = { min: 0, max: 1e9, whole: true } as const;
const xidCode = { min: 0, max: 100_000, whole: true } as const;
/**
 * The series has a line for each code of the last minutes, or one line without a code for a GPU without XIDs. The value is a count,
 * the code is a label. A count above 0 without a valid code is rejected.
 */
const xidCount = {
  ...xidCode,
  min: 1,
  instances: 'worst XID',
  readLine: ({ value, labels }: PrometheusSample) => (value > 0 ? Number(labels.xid) || 0 : null),
} as const;

/** Error counters of NVLink 5, which lacks the earlier ones (https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/). */
const NVLINK_5_ERRORS: readonly [number: number, name: string, nameSinceRenaming: string][] = [
  [
    1204,
    'DCGM_FI_DEV_NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS',
    'DCGM_FI_DEV_NVLINK_RX_PACKET_MALFORMED_TOTAL',
  ],
  [1205, 'DCGM_FI_DEV_NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_PACKET_DROPPED_TOTAL'],
  [1206, 'DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_ERROR_TOTAL'],
  [1207, 'DCGM_FI_DEV_NVLINK_COUNT_RX_REMOTE_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_REMOTE_ERROR_TOTAL'],
  [1208, 'DCGM_FI_DEV_NVLINK_COUNT_RX_GENERAL_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_GENERAL_ERROR_TOTAL'],
  [1209, 'DCGM_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS', 'DCGM_FI_DEV_NVLINK_INTEGRITY_ERROR_TOTAL'],
  [1210, 'DCGM_FI_DEV_NVLINK_COUNT_TX_DISCARDS', 'DCGM_FI_DEV_NVLINK_TX_DISCARD_TOTAL'],
  [1212, 'DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS', 'DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL'],
  [1214, 'DCGM_FI_DEV_NVLINK_COUNT_RX_SYMBOL_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_SYMBOL_ERROR_TOTAL'],
  [1219, 'DCGM_FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS', 'DCGM_FI_DEV_NVLINK_EFFECTIVE_ERROR_TOTAL'],
];

/** Fields of XIDs, throttling and error counters. Health rules compare their values with those of the previous sample. */
export const DCGM_FAULTS: readonly ExporterField[] = [
  field(XID, 'xid_last_code', xidCode, ['DCGM_FI_DEV_XID_ERRORS', 'DCGM_FI_DEV_XID_ERROR']),
  field(XID_WINDOW, 'xid_last_code', xidCount, ['DCGM_EXP_XID_ERRORS_COUNT']),
  field(112, 'throttle_reasons', counter, [
    'DCGM_FI_DEV_CLOCK_THROTTLE_REASONS',
    'DCGM_FI_DEV_CLOCKS_EVENT_REASONS',
  ]),
  field(310, 'ecc_single_bit_total', summedCounter, ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL']),
  field(311, 'ecc_double_bit_total', summedCounter, ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL']),
  field(393, 'remapped_rows_total', counter, [
    'DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS',
    'DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL',
  ]),
  field(395, 'row_remap_failed', flag, ['DCGM_FI_DEV_ROW_REMAP_FAILURE', 'DCGM_FI_DEV_ROW_REMAP_FAILED']),
  field(396, 'row_remap_pending', flag, ['DCGM_FI_DEV_ROW_REMAP_PENDING']),
  // Boards before Ampere retire pages instead of remapping rows.
  field(392, 'row_remap_pending', { ...flag, fallbackFor: 396 }, [
    'DCGM_FI_DEV_RETIRED_PENDING',
    'DCGM_FI_DEV_PAGE_RETIRED_PENDING',
  ]),
  field(409, 'nvlink_errors_total', counter, [
    'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL',
    'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL',
  ]),
  field(497, 'nvlink_errors_total', { ...counter, fallbackFor: 409 }, [
    'DCGM_FI_DEV_NVLINK_ERROR_DL_CRC',
    'DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL',
  ]),
  field(429, 'nvlink_errors_total', counter, [
    'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL',
    'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_TOTAL',
  ]),
  field(499, 'nvlink_errors_total', { ...counter, fallbackFor: 429 }, [
    'DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY',
    'DCGM_FI_DEV_NVLINK_REPLAY_TOTAL',
  ]),
  field(439, 'nvlink_errors_total', counter, [
    'DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL',
    'DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL',
  ]),
  field(498, 'nvlink_errors_total', { ...counter, fallbackFor: 439 }, [
    'DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY',
    'DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL',
  ]),
  ...NVLINK_5_ERRORS.map(([number, ...names]) => field(number, 'nvlink_errors_total', counter, names)),
  field(202, 'pcie_replays_total', counter, [
    'DCGM_FI_DEV_PCIE_REPLAY_COUNTER',
    'DCGM_FI_DEV_PCIE_REPLAY_TOTAL',
  ]),
];
