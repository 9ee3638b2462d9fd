import { MAX_SUMMED_COUNTER } from '../../records/limits.ts';
import { type ExporterField, XID } from '../exporters/exporter-field.ts';

/** The codes of the last minutes, which dcgm-exporter counts. */
const XID_WINDOW = 10_230;

const counter = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true } as const;
const summedCounter = { ...counter, max: MAX_SUMMED_COUNTER } as const;
const flag = { min: 0, max: 1e9, whole: true } as const;

/** Error counters of NVLink 5, where those before do not exist (https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/). */
const NVLINK_5_ERRORS: readonly [number, string, string][] = [
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

/** Fields of XIDs, throttling and error counters, which health rules compare with the sample before. */
export const DCGM_FAULTS: readonly ExporterField[] = [
  {
    number: XID,
    names: ['DCGM_FI_DEV_XID_ERRORS', 'DCGM_FI_DEV_XID_ERROR'],
    recordField: 'xid_last_code',
    min: 0,
    max: 100_000,
    whole: true,
  },
  {
    // A line for each code of the last minutes; for a GPU without one, a line without a code.
    number: XID_WINDOW,
    names: ['DCGM_EXP_XID_ERRORS_COUNT'],
    recordField: 'xid_last_code',
    min: 1,
    max: 100_000,
    whole: true,
    instances: 'worst XID',
    // A count without a valid code is rejected.
    readLine: ({ value, labels }) => (value > 0 ? Number(labels.xid) || 0 : null),
  },
  {
    number: 112,
    names: ['DCGM_FI_DEV_CLOCK_THROTTLE_REASONS', 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS'],
    recordField: 'throttle_reasons',
    ...counter,
  },
  {
    number: 310,
    names: ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL'],
    recordField: 'ecc_single_bit_total',
    ...summedCounter,
  },
  {
    number: 311,
    names: ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL'],
    recordField: 'ecc_double_bit_total',
    ...summedCounter,
  },
  {
    number: 393,
    names: ['DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS', 'DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL'],
    recordField: 'remapped_rows_total',
    ...counter,
  },
  {
    number: 395,
    names: ['DCGM_FI_DEV_ROW_REMAP_FAILURE', 'DCGM_FI_DEV_ROW_REMAP_FAILED'],
    recordField: 'row_remap_failed',
    ...flag,
  },
  { number: 396, names: ['DCGM_FI_DEV_ROW_REMAP_PENDING'], recordField: 'row_remap_pending', ...flag },
  {
    // Boards before Ampere retire pages.
    number: 392,
    names: ['DCGM_FI_DEV_RETIRED_PENDING', 'DCGM_FI_DEV_PAGE_RETIRED_PENDING'],
    recordField: 'row_remap_pending',
    ...flag,
    fallbackFor: 396,
  },
  {
    number: 409,
    names: ['DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
  },
  {
    number: 497,
    names: ['DCGM_FI_DEV_NVLINK_ERROR_DL_CRC', 'DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
    fallbackFor: 409,
  },
  {
    number: 429,
    names: ['DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
  },
  {
    number: 499,
    names: ['DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY', 'DCGM_FI_DEV_NVLINK_REPLAY_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
    fallbackFor: 429,
  },
  {
    number: 439,
    names: ['DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
  },
  {
    number: 498,
    names: ['DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY', 'DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
    fallbackFor: 439,
  },
  ...NVLINK_5_ERRORS.map(([number, ...names]): ExporterField => ({
    number,
    names,
    recordField: 'nvlink_errors_total',
    ...counter,
  })),
  {
    number: 202,
    names: ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 'DCGM_FI_DEV_PCIE_REPLAY_TOTAL'],
    recordField: 'pcie_replays_total',
    ...counter,
  },
];
