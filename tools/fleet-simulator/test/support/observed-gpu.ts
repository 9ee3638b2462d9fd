import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { AnyRecord } from './record-validator.ts';

const criticalXids = new Set([
  46, 62, 64, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158, 48, 74, 79, 144, 145, 146, 147, 148, 149,
  150,
]);
const degradingXids = new Set([63, 92, 94]);
/** NVML clocks event reasons: hardware slowdown, software thermal, hardware thermal, hardware power brake. */
const throttling = 0x8 | 0x20 | 0x40 | 0x80;

interface Reading {
  at: number;
  fields: Record<string, number | boolean | null>;
}

/** State of one GPU, derived from its records alone. */
export class ObservedGpu {
  readonly customer: number;
  readonly inventory: AnyRecord;
  readonly xids: { at: number; code: number }[] = [];
  readonly readings: Reading[] = [];
  days = 0;
  /** Times of samples, XIDs and processes, in the order of the records. */
  readonly times: number[] = [];

  constructor(inventory: AnyRecord) {
    this.inventory = inventory;
    this.customer = inventory.customer_id;
  }

  add(record: AnyRecord): void {
    if (record.kind === 'gpu_day') {
      this.days++;
      return;
    }
    const at = Date.parse(record['at'] as string);
    this.times.push(at);
    if (record.kind === 'xid_event') this.xids.push({ at, code: record['code'] as number });
    if (record.kind !== 'gpu_sample') return;
    const { kind: _kind, at: _at, gpu_id: _id, customer_id: _customer, ...fields } = record;
    this.readings.push({ at, fields: fields as Reading['fields'] });
  }

  get last(): Reading | undefined {
    return this.readings.at(-1);
  }

  /** Codes of the XID events and of the changes of the gauge, in time order. */
  get codes(): number[] {
    const gauge = this.readings.map(({ at, fields }) => ({ at, code: Number(fields['xid_last_code'] ?? 0) }));
    const changes = gauge.filter(({ code }, i) => i > 0 && code !== 0 && code !== gauge[i - 1]!.code);
    return [...this.xids, ...changes].sort((one, other) => one.at - other.at).map(({ code }) => code);
  }

  temperatureAt(time: number): number {
    return Number(this.readings.findLast(({ at }) => at <= time)!.fields['temperature_c']);
  }

  get hasXidSource(): boolean {
    return this.xids.length > 0 || this.readings.some(({ fields }) => fields['xid_last_code'] !== null);
  }

  /** Computes the health by the rules of docs/gpu-health.md, independently of the simulator. */
  healthAt(now: number): 'healthy' | 'degraded' | 'critical' | 'missing' {
    if (!this.last || now - this.last.at > 5 * MINUTE_MS) return 'missing';
    const codes = this.#openXids(now - DAY_MS);
    const temperature = this.last.fields['temperature_c'] as number | null;
    const limit = (name: string) => (this.inventory[name] as number | null) ?? Number.POSITIVE_INFINITY;
    if (
      codes.some((code) => criticalXids.has(code)) ||
      this.#grew('ecc_double_bit_total', now - DAY_MS) ||
      this.last.fields['row_remap_failed'] === true ||
      (temperature ?? 0) >= limit('shutdown_temperature_c') - 3
    ) {
      return 'critical';
    }
    const degraded =
      codes.some((code) => degradingXids.has(code)) ||
      this.last.fields['row_remap_pending'] === true ||
      this.#throttleEdges(now - 10 * MINUTE_MS) >= 6 ||
      this.#grew('nvlink_errors_total', now - 10 * MINUTE_MS) ||
      this.#grew('pcie_replays_total', now - 10 * MINUTE_MS) ||
      (temperature ?? 0) >= limit('slowdown_temperature_c');
    return degraded ? 'degraded' : 'healthy';
  }

  /** Returns the XIDs since `from` without a later reset, from events and gauge changes. A gauge of 0 is a reset. */
  #openXids(from: number): number[] {
    let open = this.xids.filter(({ at }) => at > from).map(({ code }) => code);
    let gauge: number | undefined;
    for (const { at, fields } of this.readings) {
      const code = fields['xid_last_code'] as number | null;
      if (code === null) continue;
      if (code === 0) open = open.filter(() => gauge === 0 || gauge === undefined);
      else if (gauge !== undefined && code !== gauge && at > from) open.push(code);
      gauge = code;
    }
    return open;
  }

  #grew(name: string, from: number): boolean {
    return this.#pairs(from).some(([before, after]) => Number(after[name]) > Number(before[name]));
  }

  #throttleEdges(from: number): number {
    const bits = (fields: Reading['fields']) => Number(fields['throttle_reasons'] ?? 0) & throttling;
    return this.#pairs(from).filter(([before, after]) => bits(before) === 0 && bits(after) !== 0).length;
  }

  #pairs(from: number): [Reading['fields'], Reading['fields']][] {
    const recent = this.readings.filter(({ at }) => at > from);
    return recent.slice(1).map((reading, i) => [recent[i]!.fields, reading.fields]);
  }
}
