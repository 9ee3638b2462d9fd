import type { GpuReadings } from '../../imports/records/records.ts';
import { CLEAN_SPELL_MS, type HealthFact, type HealthRule, renewFact } from './health-fact.ts';
import type { HealthMemory } from './health-memory.ts';
import { observeXid, observeReset } from './observe-xid.ts';

/** Reasons that say the board is in trouble: 0x8 hardware slowdown, 0x20 software thermal, 0x40 hardware thermal, 0x80 power brake. */
const TROUBLED_THROTTLING = 0x8 | 0x20 | 0x40 | 0x80;
const THROTTLE_WINDOW_MS = 10 * 60_000;
const THROTTLE_EDGES_UNTIL_DEGRADED = 6;
const SHUTDOWN_MARGIN_CELSIUS = 3;

export interface HealthState {
  memory: HealthMemory;
  facts: HealthFact[];
}

export interface Limits {
  slowdownTemperatureC: number | null;
  shutdownTemperatureC: number | null;
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
  readings: GpuReadings,
  limits: Limits,
): { state: HealthState; xidCode: number | null } {
  const { memory } = state;
  const atMs = Date.parse(at);
  let facts = state.facts.filter((fact) => fact.until > at);
  const hold = (rule: HealthRule, health: HealthFact['health'], evidence: string) => {
    facts = renewFact(facts, {
      rule,
      health,
      evidence,
      since: at,
      until: new Date(atMs + CLEAN_SPELL_MS).toISOString(),
    });
  };

  let xidCode: number | null = null;
  const code = readings.xid_last_code ?? undefined;
  if (code !== undefined && memory.xidLastCode !== undefined && code !== memory.xidLastCode) {
    if (code === 0) facts = observeReset(facts, at);
    else xidCode = code;
  }
  // The first reading of all may already hold a code: it happened before we looked, and is an event now.
  if (code !== undefined && memory.xidLastCode === undefined && code !== 0) xidCode = code;
  if (xidCode !== null) facts = observeXid(facts, at, xidCode);

  const doubleBits = growth(memory.eccDoubleBitTotal, readings.ecc_double_bit_total);
  if (doubleBits > 0) hold('ecc_double_bit', 'critical', `${doubleBits} new double-bit ECC errors`);
  if (readings.row_remap_failed === true) hold('row_remap_failed', 'critical', 'a row could not be remapped');
  if (readings.row_remap_pending === true)
    hold('row_remap_pending', 'degraded', 'a row waits to be remapped at the next reset');
  const nvlinkErrors = growth(memory.nvlinkErrorsTotal, readings.nvlink_errors_total);
  if (nvlinkErrors > 0) hold('nvlink_errors', 'degraded', `${nvlinkErrors} new NVLink errors`);
  const replays = growth(memory.pcieReplaysTotal, readings.pcie_replays_total);
  if (replays > 0) hold('pcie_replays', 'degraded', `${replays} new PCIe replays`);

  const temperature = readings.temperature_c ?? null;
  const { slowdownTemperatureC: slowdown, shutdownTemperatureC: shutdown } = limits;
  if (temperature !== null && shutdown !== null && temperature >= shutdown - SHUTDOWN_MARGIN_CELSIUS) {
    hold(
      'temperature_near_shutdown',
      'critical',
      `${temperature} °C; the board shuts down at ${shutdown} °C`,
    );
  }
  if (temperature !== null && slowdown !== null && temperature >= slowdown) {
    hold('temperature_slowdown', 'degraded', `${temperature} °C; the board slows down at ${slowdown} °C`);
  }

  let throttleEdges = (memory.throttleEdges ?? []).filter(
    (edge) => Date.parse(edge) > atMs - THROTTLE_WINDOW_MS,
  );
  const reasons = readings.throttle_reasons ?? undefined;
  // Bit operations in JavaScript are 32 bit; every reason that counts lies in the lowest byte.
  const began =
    reasons !== undefined &&
    ((reasons % 256) & ~((memory.throttleReasons ?? 0) % 256) & TROUBLED_THROTTLING) !== 0;
  if (began && memory.throttleReasons !== undefined) throttleEdges = [...throttleEdges, at];
  if (throttleEdges.length >= THROTTLE_EDGES_UNTIL_DEGRADED) {
    hold('throttling', 'degraded', `throttled ${throttleEdges.length} times in 10 minutes`);
  }

  const next: HealthMemory = { ...memory, at };
  if (code !== undefined) next.xidLastCode = code;
  if (reasons !== undefined) next.throttleReasons = reasons;
  remember(next, 'eccDoubleBitTotal', readings.ecc_double_bit_total);
  remember(next, 'nvlinkErrorsTotal', readings.nvlink_errors_total);
  remember(next, 'pcieReplaysTotal', readings.pcie_replays_total);
  if (throttleEdges.length > 0) next.throttleEdges = throttleEdges;
  else delete next.throttleEdges;
  return { state: { memory: next, facts }, xidCode };
}

function growth(before: number | undefined, now: number | null | undefined): number {
  return before === undefined || now === null || now === undefined ? 0 : Math.max(0, now - before);
}

function remember(
  memory: HealthMemory,
  name: 'eccDoubleBitTotal' | 'nvlinkErrorsTotal' | 'pcieReplaysTotal',
  value: number | null | undefined,
): void {
  if (value !== null && value !== undefined) memory[name] = value;
}
