import { recoveryVerdict, type SourceVerdict } from '../../../model/health/recovery-action.ts';
import { type ExporterField, field } from '../exporters/exporter-field.ts';
import type { Labels } from '../exporters/labels.ts';
import { FAULTS, faultFlag, verdictOn } from '../source-verdict.ts';

// Internal numbers: health checks are series of dcgm-exporter only, and DCGM's numbers of diagnostics are not consecutive.
const FIRST_CHECK = 20_000;
const FIRST_DIAGNOSTIC = 20_100;

/** Creates a field of `source_health`. */
const verdictField = (
  number: number,
  verdictOf: (value: number) => SourceVerdict,
  names: ExporterField['names'],
): ExporterField => field(number, 'source_health', { min: 0, max: 1e9, whole: true, verdictOf }, names);

const FABRIC_MANAGER_FAULT: SourceVerdict = { health: 'degraded', text: 'the fabric manager failed' };
/** Value DcgmFMStatusFailure. */
const FABRIC_MANAGER_FAILED = 4;
/** DcgmFabricHealthSummary: 2 unhealthy, 3 limited capacity. */
const FABRIC_UNHEALTHY = 2;
/** Fields of DCGM that report a fault (dcgm_fields.h, dcgm_structs.h). */
const FAULT_FIELDS: readonly ExporterField[] = [
  verdictField(1523, recoveryVerdict, [
    'DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION',
    'DCGM_FI_DEV_GPU_RECOVERY_ACTION',
  ]),
  verdictField(1507, faultFlag(FAULTS.memoryUnrepairable), [
    'DCGM_FI_DEV_MEMORY_UNREPAIRABLE_FLAG',
    'DCGM_FI_DEV_MEMORY_UNREPAIRABLE',
  ]),
  verdictField(346, faultFlag(FAULTS.sramThresholdExceeded), [
    'DCGM_FI_DEV_THRESHOLD_SRM',
    'DCGM_FI_DEV_SRAM_EXCEEDED',
  ]),
  verdictField(170, (value) => verdictOn(FABRIC_MANAGER_FAULT, value === FABRIC_MANAGER_FAILED), [
    'DCGM_FI_DEV_FABRIC_MANAGER_STATUS',
  ]),
  verdictField(175, (value) => verdictOn(FAULTS.fabricUnhealthy, value >= FABRIC_UNHEALTHY), [
    'DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY',
  ]),
];

/** Series of dcgm-exporter with a line for each health check of DCGM: 0 pass, 10 warning, 20 failure. */
const HEALTH_STATUS = 'DCGM_EXP_GPU_HEALTH_STATUS';
const CHECK_FAILED = 20;
const CHECKS = ['PCIE', 'NVLINK', 'PMU', 'MCU', 'MEM', 'SM', 'INFOROM', 'THERMAL', 'POWER', 'DRIVER', 'ALL'];
const ALL_CHECKS = CHECKS.length - 1;
const HEALTH_CHECKS = CHECKS.map((check, index) =>
  verdictField(FIRST_CHECK + index, (value) => checkVerdict(value, `DCGM's health check of ${check}`), [
    `${HEALTH_STATUS} (${check})`,
  ]),
);

/** Tests of DCGM's last diagnostic. The value is the code of an error, or 0. */
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
].map((test, index) =>
  verdictField(FIRST_DIAGNOSTIC + index, (value) => diagnosticVerdict(value, test), [
    `DCGM_FI_DEV_DIAG_${test}_RESULT`,
  ]),
);

export const DCGM_VERDICTS: readonly ExporterField[] = [...FAULT_FIELDS, ...DIAGNOSTICS, ...HEALTH_CHECKS];

function diagnosticVerdict(value: number, test: string): SourceVerdict {
  const text = `the test ${test} of DCGM's diagnostic failed with error ${value}`;
  return { health: value > 0 ? 'degraded' : 'healthy', text };
}

function checkVerdict(value: number, check: string): SourceVerdict {
  if (value >= CHECK_FAILED) return { health: 'critical', text: `${check} failed` };
  return { health: value > 0 ? 'degraded' : 'healthy', text: `${check} has a warning` };
}

/** Returns the field of a health check's line, undefined for other series. An unknown check has the field of `ALL`. */
export function healthCheckFieldOf(
  series: string,
  { health_watch: check = '' }: Labels,
): ExporterField | undefined {
  if (series !== HEALTH_STATUS) return undefined;
  const index = CHECKS.indexOf(check);
  return HEALTH_CHECKS[index === -1 ? ALL_CHECKS : index];
}
