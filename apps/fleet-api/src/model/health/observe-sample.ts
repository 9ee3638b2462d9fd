import {
  CLEAN_SPELL_MS,
  endFact,
  type HealthFact,
  type HealthRule,
  later,
  renewFact,
} from './health-signal.ts';
import type { HealthMemory } from './health-state.ts';
import { observeReset, observeXid } from './observe-xid.ts';
import { MISSED_REPORTS } from './missing-data-timeout.ts';

/** Reasons that say the board is in trouble: 0x8 hardware slowdown, 0x20 software thermal, 0x40 hardware thermal, 0x80 power brake. */
const TROUBLED_THROTTLING = 0x8 | 0x20 | 0x40 | 0x80;
const THROTTLE_WINDOW_MS = 10 * 60_000;
const THROTTLE_EDGES_UNTIL_DEGRADED = 6;
const SHUTDOWN_MARGIN_CELSIUS = 3;

/** The readings that tell of health; null or absent: not measured. */
export interface HealthReadings {
  temperature_c?: number | null;
  /** DCGM 230: the last code, 0 for none since the driver was loaded. */
  xid_last_code?: number | null;
  /** DCGM 112: a bit mask. */
  throttle_reasons?: number | null;
  ecc_double_bit_total?: number | null;
  row_remap_failed?: boolean | null;
  row_remap_pending?: boolean | null;
  nvlink_errors_total?: number | null;
  pcie_replays_total?: number | null;
}

export interface HealthState {
  memory: HealthMemory;
  facts: HealthFact[];
}

/** What is known of the board that its readings are judged by. */
export interface Board {
  slowdownTemperatureC: number | null;
  shutdownTemperatureC: number | null;
  reportIntervalSeconds: number;
}

/** Whether a rule holds by this sample; null when the sample has no reading that could tell. */
interface Judgement {
  rule: HealthRule;
  health: HealthFact['health'];
  holds: boolean | null;
  evidence: string;
}

/**
 * What one sample, newer than all before it, says of a GPU's health (docs/gpu-health.md).
 *
 * The XID gauge holds the last code and never clears: only its change is an event, and a fall to 0 is a driver that was
 * loaded anew. Counters reset with the driver too, so only growth counts.
 *
 * @returns the next state, and the code of an XID event that happened by this sample
 */
export function observeSample(
  state: HealthState,
  at: string,
  readings: HealthReadings,
  board: Board,
): { state: HealthState; xidCode: number | null } {
  const memory = remember(state.memory, at, readings);
  const xidCode = xidEvent(state.memory, readings);
  let facts = state.facts.filter((fact) => fact.until > at);
  if (memory.resetAt === at) facts = observeReset(facts, at);
  if (xidCode !== null) facts = observeXid(facts, at, xidCode);

  // A rule that a reading showed to hold does so until the next reading, however rare they are.
  const heldMs = Math.max(CLEAN_SPELL_MS, MISSED_REPORTS * board.reportIntervalSeconds * 1_000);
  for (const { holds, ...judged } of judge(state.memory, memory, readings, board)) {
    if (holds) facts = renewFact(facts, { ...judged, since: at, until: later(at, heldMs) });
    else if (holds === false) facts = endFact(facts, judged.rule, at);
  }
  return { state: { memory, facts }, xidCode };
}

/** The gauge's change is an event. Its first reading may already hold a code: that happened before we looked, and is one now. */
function xidEvent(before: HealthMemory, { xid_last_code: code }: HealthReadings): number | null {
  return code && code !== before.xidLastCode ? code : null;
}

function judge(before: HealthMemory, now: HealthMemory, readings: HealthReadings, board: Board): Judgement[] {
  const { temperature_c: celsius } = readings;
  const { slowdownTemperatureC: slowdown, shutdownTemperatureC: shutdown } = board;
  const doubleBits = growth(before.eccDoubleBitTotal, readings.ecc_double_bit_total);
  const nvlinkErrors = growth(before.nvlinkErrorsTotal, readings.nvlink_errors_total);
  const replays = growth(before.pcieReplaysTotal, readings.pcie_replays_total);
  const throttled = now.throttleEdges?.length ?? 0;
  return [
    {
      rule: 'ecc_double_bit',
      health: 'critical',
      holds: doubleBits === null ? null : doubleBits > 0,
      evidence: `${doubleBits} new double-bit ECC errors`,
    },
    {
      rule: 'row_remap_failed',
      health: 'critical',
      holds: readings.row_remap_failed ?? null,
      evidence: 'a row could not be remapped',
    },
    {
      rule: 'temperature_near_shutdown',
      health: 'critical',
      holds: atLeast(celsius, shutdown === null ? null : shutdown - SHUTDOWN_MARGIN_CELSIUS),
      evidence: `${celsius} °C; the board shuts down at ${shutdown} °C`,
    },
    {
      rule: 'row_remap_pending',
      health: 'degraded',
      holds: readings.row_remap_pending ?? null,
      evidence: 'a row waits to be remapped at the next reset',
    },
    {
      rule: 'throttling',
      health: 'degraded',
      holds: throttled >= THROTTLE_EDGES_UNTIL_DEGRADED || (readings.throttle_reasons == null ? null : false),
      evidence: `throttled ${throttled} times in 10 minutes`,
    },
    {
      rule: 'nvlink_errors',
      health: 'degraded',
      holds: nvlinkErrors === null ? null : nvlinkErrors > 0,
      evidence: `${nvlinkErrors} new NVLink errors`,
    },
    {
      rule: 'pcie_replays',
      health: 'degraded',
      holds: replays === null ? null : replays > 0,
      evidence: `${replays} new PCIe replays`,
    },
    {
      rule: 'temperature_slowdown',
      health: 'degraded',
      holds: atLeast(celsius, slowdown),
      evidence: `${celsius} °C; the board slows down at ${slowdown} °C`,
    },
  ];
}

function remember(before: HealthMemory, at: string, readings: HealthReadings): HealthMemory {
  const { throttleEdges, ...rest } = before;
  const code = readings.xid_last_code;
  const reasons = readings.throttle_reasons;
  // Bit operations in JavaScript are 32 bit; every reason that counts lies in the lowest byte.
  const began =
    before.throttleReasons !== undefined &&
    reasons != null &&
    ((reasons % 256) & ~(before.throttleReasons % 256) & TROUBLED_THROTTLING) !== 0;
  const edges = began ? [...recent(throttleEdges, at), at] : recent(throttleEdges, at);
  return {
    ...rest,
    at,
    ...(code == null ? {} : { xidLastCode: code }),
    ...(code === 0 && before.xidLastCode ? { resetAt: at } : {}),
    ...(reasons == null ? {} : { throttleReasons: reasons }),
    ...(edges.length === 0 ? {} : { throttleEdges: [...edges] }),
    ...(readings.ecc_double_bit_total == null ? {} : { eccDoubleBitTotal: readings.ecc_double_bit_total }),
    ...(readings.nvlink_errors_total == null ? {} : { nvlinkErrorsTotal: readings.nvlink_errors_total }),
    ...(readings.pcie_replays_total == null ? {} : { pcieReplaysTotal: readings.pcie_replays_total }),
  };
}

function recent(edges: readonly string[] | undefined, at: string): readonly string[] {
  if (edges === undefined || edges.length === 0) return [];
  const windowStart = later(at, -THROTTLE_WINDOW_MS);
  return edges.filter((edge) => edge > windowStart);
}

/** By how much a counter grew; null when it cannot be told. A counter that fell began anew. */
function growth(before: number | undefined, now: number | null | undefined): number | null {
  return before === undefined || now == null ? null : Math.max(0, now - before);
}

function atLeast(value: number | null | undefined, limit: number | null): boolean | null {
  return value == null || limit === null ? null : value >= limit;
}
