import type { HealthRule, HealthSignal } from './health-signal.ts';
import type { HealthState } from './health-state.ts';

const MIN_THROTTLE_ONSETS = 6;
const SHUTDOWN_MARGIN_CELSIUS = 3;

/** Readings that health rules use; null or absent: not measured. */
export interface HealthReadings {
  temperature_c?: number | null;
  memory_temperature_c?: number | null;
  /** DCGM field 230: the last code, 0 for none since the driver was loaded. */
  xid_last_code?: number | null;
  /** DCGM field 112: a bit mask. */
  throttle_reasons?: number | null;
  ecc_double_bit_total?: number | null;
  row_remap_failed?: boolean | null;
  row_remap_pending?: boolean | null;
  remapped_rows_total?: number | null;
  nvlink_errors_total?: number | null;
  pcie_replays_total?: number | null;
  /** Health that the source states, and its words. */
  source_health?: string | null;
  source_verdict?: string | null;
}

/** Properties of the board that readings are compared with. */
export interface BoardLimits {
  slowdownTemperatureC: number | null;
  shutdownTemperatureC: number | null;
  /** Maximum operating temperature of the memory. */
  memoryTemperatureLimitC?: number | null;
  reportIntervalSeconds: number;
}

/** The result of a rule of docs/gpu-health.md. */
interface RuleResult {
  rule: HealthRule;
  health: HealthSignal['health'];
  /** Null when the sample lacks the reading. */
  applies: boolean | null;
  /** Called only for a rule that applies. */
  evidence: () => string;
}

/** Returns the result of each rule. Counters are compared with those of the last sample, `before`. */
export function sampleRules(
  before: HealthState,
  now: HealthState,
  readings: HealthReadings,
  limits: BoardLimits,
): RuleResult[] {
  const { temperature_c: celsius, memory_temperature_c: memoryCelsius } = readings;
  const {
    slowdownTemperatureC: slowdown,
    shutdownTemperatureC: shutdown,
    memoryTemperatureLimitC: memoryLimit = null,
  } = limits;
  const doubleBits = growth(before.eccDoubleBitTotal, readings.ecc_double_bit_total);
  const nvlinkErrors = growth(before.nvlinkErrorsTotal, readings.nvlink_errors_total);
  const replays = growth(before.pcieReplaysTotal, readings.pcie_replays_total);
  const remapped = growth(before.remappedRowsTotal, readings.remapped_rows_total);
  const throttled = now.throttleOnsets?.length ?? 0;
  const verdict = readings.source_health ?? null;
  const isVerdict = (health: HealthSignal['health']) => (verdict === null ? null : verdict === health);
  const verdictOf = (health: string) => readings.source_verdict ?? `the source reports the GPU as ${health}`;
  const isThrottled = throttled >= MIN_THROTTLE_ONSETS;
  return [
    critical('source_verdict', isVerdict('critical'), () => verdictOf('critical')),
    degraded('source_verdict', isVerdict('degraded'), () => verdictOf('degraded')),
    critical('ecc_double_bit', hasGrown(doubleBits), () => `${doubleBits} new double-bit ECC errors`),
    critical('row_remap_failed', readings.row_remap_failed, () => 'a row could not be remapped'),
    critical(
      'temperature_near_shutdown',
      atLeast(celsius, shutdown === null ? null : shutdown - SHUTDOWN_MARGIN_CELSIUS),
      () => `${celsius} °C; the board shuts down at ${shutdown} °C`,
    ),
    degraded(
      'row_remap_pending',
      readings.row_remap_pending,
      () => 'the next reset will remap a row or retire a page',
    ),
    degraded(
      'throttling',
      isThrottled || readings.throttle_reasons != null ? isThrottled : null,
      () => `throttled ${throttled} times in 10 minutes`,
    ),
    degraded('nvlink_errors', hasGrown(nvlinkErrors), () => `${nvlinkErrors} new NVLink errors`),
    degraded('pcie_replays', hasGrown(replays), () => `${replays} new PCIe replays`),
    degraded(
      'rows_remapped',
      hasGrown(remapped),
      () => `${remapped} rows remapped after uncorrectable errors`,
    ),
    degraded(
      'memory_temperature',
      atLeast(memoryCelsius, memoryLimit),
      () => `memory at ${memoryCelsius} °C; its maximum is ${memoryLimit} °C`,
    ),
    degraded(
      'temperature_slowdown',
      atLeast(celsius, slowdown),
      () => `${celsius} °C; the board slows down at ${slowdown} °C`,
    ),
  ];
}

const ruleOf =
  (health: HealthSignal['health']) =>
  (rule: HealthRule, applies: boolean | null | undefined, evidence: () => string): RuleResult => ({
    rule,
    health,
    applies: applies ?? null,
    evidence,
  });
const critical = ruleOf('critical');
const degraded = ruleOf('degraded');

/** Returns the growth of a counter, or null when a value is unknown. A counter that fell was reset and did not grow. */
function growth(before: number | undefined, now: number | null | undefined): number | null {
  return before === undefined || now == null ? null : Math.max(0, now - before);
}

/** Returns whether a counter has grown, from its growth; null when that is unknown. */
function hasGrown(growth: number | null): boolean | null {
  return growth === null ? null : growth > 0;
}

function atLeast(value: number | null | undefined, limit: number | null): boolean | null {
  return value == null || limit === null ? null : value >= limit;
}
