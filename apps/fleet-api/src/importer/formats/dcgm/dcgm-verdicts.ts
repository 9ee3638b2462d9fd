import { recoveryActionOf, type SourceVerdict } from '../../../model/health/recovery-action.ts';
import type { ExporterField } from '../exporters/exporter-field.ts';
import type { Labels } from '../exporters/labels.ts';
import { FAULTS, faultFlag, verdictOn } from '../source-verdict.ts';

const stated = { recordField: 'source_health', min: 0, max: 1e9, whole: true } as const;
/** Own numbers: the checks of dcgm-exporter are no fields of DCGM, and those of diagnostics are not in order. */
const FIRST_CHECK = 20_000;
const FIRST_DIAGNOSTIC = 20_100;

/** Fields of DCGM that state a fault (dcgm_fields.h, dcgm_structs.h). */
const FAULT_FIELDS: readonly ExporterField[] = [
  {
    number: 1523,
    names: ['DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION', 'DCGM_FI_DEV_GPU_RECOVERY_ACTION'],
    ...stated,
    verdictOf: recoveryActionOf,
  },
  {
    number: 1507,
    names: ['DCGM_FI_DEV_MEMORY_UNREPAIRABLE_FLAG', 'DCGM_FI_DEV_MEMORY_UNREPAIRABLE'],
    ...stated,
    verdictOf: faultFlag(FAULTS.memoryUnrepairable),
  },
  {
    number: 346,
    names: ['DCGM_FI_DEV_THRESHOLD_SRM', 'DCGM_FI_DEV_SRAM_EXCEEDED'],
    ...stated,
    verdictOf: faultFlag(FAULTS.sramThresholdExceeded),
  },
  {
    // DcgmFMStatusFailure is 4.
    number: 170,
    names: ['DCGM_FI_DEV_FABRIC_MANAGER_STATUS'],
    ...stated,
    verdictOf: (value) => verdictOn({ health: 'degraded', text: 'the fabric manager failed' }, value === 4),
  },
  {
    // DcgmFabricHealthSummary: 2 unhealthy, 3 limited capacity.
    number: 175,
    names: ['DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY'],
    ...stated,
    verdictOf: (value) => verdictOn(FAULTS.fabricUnhealthy, value > 1),
  },
];

/** Series of dcgm-exporter with a line for each health check of DCGM: 0 pass, 10 warning, 20 failure. */
const HEALTH_STATUS = 'DCGM_EXP_GPU_HEALTH_STATUS';
const CHECKS = ['PCIE', 'NVLINK', 'PMU', 'MCU', 'MEM', 'SM', 'INFOROM', 'THERMAL', 'POWER', 'DRIVER', 'ALL'];
const HEALTH_CHECKS = CHECKS.map((check, index): ExporterField & { check: string } => ({
  number: FIRST_CHECK + index,
  names: [`${HEALTH_STATUS} (${check})`],
  ...stated,
  check,
  verdictOf: (value) => statusOf(value, `DCGM's health check of ${check}`),
}));

/** Tests of DCGM's last diagnostic: the code of an error, 0 for none. */
const DIAGNOSTICS = [
  'MEMORY',
  'DIAGNOSTIC',
  'PCIE',
  'TARGETED_STRESS',
  'TARGETED_POWER',
  'MEMORY_BANDWIDTH',
  'MEMTEST',
  'PULSE_TEST',
  'EUD',
  'CPU_EUD',
  'SOFTWARE',
  'NVBANDWIDTH',
  'NCCL_TESTS',
].map((test, index): ExporterField => ({
  number: FIRST_DIAGNOSTIC + index,
  names: [`DCGM_FI_DEV_DIAG_${test}_RESULT`],
  ...stated,
  verdictOf: (value) => ({
    health: value > 0 ? 'degraded' : 'healthy',
    text: `the test ${test} of DCGM's diagnostic failed with error ${value}`,
  }),
}));

export const DCGM_VERDICTS: readonly ExporterField[] = [...FAULT_FIELDS, ...DIAGNOSTICS, ...HEALTH_CHECKS];

function statusOf(value: number, check: string): SourceVerdict {
  if (value >= 20) return { health: 'critical', text: `${check} failed` };
  return { health: value > 0 ? 'degraded' : 'healthy', text: `${check} has a warning` };
}

/** Returns the field of a line of the health checks; undefined for other series. Unknown checks count as that of all. */
export function healthCheckOf(series: string, { health_watch: check }: Labels): ExporterField | undefined {
  if (series !== HEALTH_STATUS) return undefined;
  return HEALTH_CHECKS.find((known) => known.check === check) ?? HEALTH_CHECKS.at(-1);
}
