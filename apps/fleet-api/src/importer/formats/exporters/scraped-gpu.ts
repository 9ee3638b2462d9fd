import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { XidCatalog } from '../../../model/health/xid-catalog.ts';
import type { Line } from '../../run/lines.ts';
import type { GpuInventory } from '../../records/records.ts';
import { isWorse } from '../source-verdict.ts';
import { type BoardRecord, FieldRules, type FieldValues } from './field-rules.ts';
import { type ExporterField, XID } from './exporter-field.ts';
import type { ExporterFormat } from './exporter-format.ts';
import type { Workload } from './workload-labels.ts';

interface Value {
  value: number | null;
  lines: Line[];
  /** Compute slices of the MIG instance. */
  slices: number;
}

/** Readings of a GPU, the lines they were read from, and the lines that were not used because of others. */
export interface ReadGpu extends BoardRecord {
  workloads: Workload[];
  /** XIDs whose time the page has. */
  xids: { code: number; at: string }[];
  lines: Line[];
  superseded: { line: Line; fault: string }[];
  /** Numbers of lines that are not needed. */
  unused: { series: string; lines: number }[];
}

/** Key of the whole board, in place of the number of a MIG instance. */
const BOARD = '';
/** Boards with four compute slices; others have seven (https://docs.nvidia.com/datacenter/tesla/mig-user-guide/). */
const FOUR_SLICES = /\bA30\b|RTX PRO 6000/;

/** Collects the lines of one GPU at one time of a scrape. */
export class ScrapedGpu {
  readonly inventory: GpuInventory = {};
  /** Values of the board, by field number. */
  private readonly board = new Map<number, Value>();
  /** Values of MIG instances, or of the chips of a board, by field number. */
  private readonly instances = new Map<number, Map<string, Value>>();
  private readonly infoLines: Line[] = [];
  private readonly workloads = new Set<Workload>();
  private readonly xids: { code: number; at: string }[] = [];
  readonly gpuId: string;
  readonly atMs: number;

  constructor(
    { gpuId, atMs }: { gpuId: string; atMs: number },
    private readonly format: ExporterFormat,
    private readonly xidCatalog?: XidCatalog,
  ) {
    this.gpuId = gpuId;
    this.atMs = atMs;
  }

  /** Adds a line that has labels and no reading. */
  addInfo(line: Line): void {
    this.infoLines.push(line);
  }

  /** Adds an XID. @param seconds its time, in s since the epoch */
  addXid(code: number, seconds: number): void {
    if (code > 0 && seconds > 0) this.xids.push({ code, at: new Date(seconds * SECOND_MS).toISOString() });
  }

  /** Adds a pod or job that uses the GPU. */
  addWorkload(workload: Workload): void {
    this.workloads.add(workload);
  }

  /**
   * Adds the value of a line. Several lines may have the same value of a GPU, one for each pod that shares it. If they
   * differ, the first is used; of statements about the health of the GPU the worst one counts.
   *
   * @returns the fault of the line, or null
   */
  add(
    field: ExporterField,
    mig: { instance: string; slices: number },
    value: number | null,
    line: Line,
  ): string | null {
    const part = field.instances === undefined ? BOARD : mig.instance;
    const earlier =
      part === BOARD ? this.board.get(field.number) : this.instances.get(field.number)?.get(part);
    if (earlier === undefined) {
      const added = { value, lines: [line], slices: mig.slices };
      if (part === BOARD) this.board.set(field.number, added);
      else this.addInstance(field, part, added);
      return null;
    }
    const { verdictOf } = field;
    if (verdictOf !== undefined && value !== null && earlier.value !== null) {
      if (isWorse(verdictOf(value), verdictOf(earlier.value))) earlier.value = value;
      earlier.lines.push(line);
      return null;
    }
    // A code of one instance is that of the board; instances without one report 0.
    const isReplaceable = earlier.value === null || (field.number === XID && earlier.value === 0);
    const isEmpty = value === null || (field.number === XID && value === 0);
    if (!isReplaceable && !isEmpty && earlier.value !== value)
      return `${field.names[0]} is ${value} here, but ${earlier.value} in an earlier line of the same GPU and time`;
    if (isReplaceable && value !== null) earlier.value = value;
    earlier.lines.push(line);
    return null;
  }

  private addInstance({ number }: ExporterField, instance: string, value: Value): void {
    const ofField = this.instances.get(number);
    if (ofField === undefined) this.instances.set(number, new Map([[instance, value]]));
    else ofField.set(instance, value);
  }

  read(): ReadGpu {
    const result: ReadGpu = {
      readings: {},
      inventory: this.inventory,
      workloads: this.differentWorkloads(),
      xids: this.xids,
      lines: [...this.infoLines],
      superseded: [],
      unused: [],
    };
    const values = this.values();
    const rules = new FieldRules(this.format, values);
    for (const [number, value] of values) {
      const field = this.format.fieldByNumber.get(number) as ExporterField;
      const ofBoard = this.board.get(number);
      const boardLines = ofBoard?.lines ?? [];
      const instanceLines = this.instancesOf(field).flatMap(({ lines }) => lines);
      const fault = rules.fault(field);
      const lines = [...boardLines, ...instanceLines];
      const [series = ''] = field.names[0].split(' ');
      if (fault !== null) {
        result.superseded.push(...lines.map((line) => ({ line, fault })));
      } else if (value !== null && rules.isUnused(field)) {
        result.unused.push({ series, lines: lines.length });
      } else {
        rules.assign(field, value, result);
        const isOfBoard = ofBoard !== undefined && ofBoard.value !== null;
        result.lines.push(...(isOfBoard ? boardLines : lines));
        if (isOfBoard && instanceLines.length > 0)
          result.unused.push({ series, lines: instanceLines.length });
      }
    }
    return result;
  }

  /** Returns the values of the board; where it has none, those of its instances combined. */
  private values(): FieldValues {
    const values = new Map<number, number | null>();
    for (const field of this.format.fields) {
      const ofBoard = this.board.get(field.number);
      const instances = this.instancesOf(field);
      if (ofBoard !== undefined && (ofBoard.value !== null || instances.length === 0))
        values.set(field.number, ofBoard.value);
      else if (instances.length > 0) values.set(field.number, this.combine(field, instances));
    }
    return values;
  }

  private instancesOf({ number }: ExporterField): Value[] {
    return [...(this.instances.get(number)?.values() ?? [])];
  }

  /** Labels that differ in other respects describe the same workload. */
  private differentWorkloads(): Workload[] {
    if (this.workloads.size < 2) return [...this.workloads];
    return [...new Map([...this.workloads].map((one) => [JSON.stringify(one), one])).values()];
  }

  private combine(field: ExporterField, instances: Value[]): number | null {
    const measured = instances.filter((one): one is Value & { value: number } => one.value !== null);
    if (measured.length === 0 || field.instances === 'not of the board') return null;
    const sum = measured.reduce((total, { value }) => total + value, 0);
    if (field.instances === 'mean') return sum / measured.length;
    if (field.instances === 'add up') return sum;
    if (field.instances === 'largest') return Math.max(...measured.map(({ value }) => value));
    if (field.instances === 'worst XID') {
      // The gauge has the last code, which may be the cleanup after a worse one.
      const gauge = this.board.get(XID)?.value;
      return this.worstXid([...(gauge ? [gauge] : []), ...measured.map(({ value }) => value)]);
    }
    const boardSlices = FOUR_SLICES.test(this.inventory.model ?? '') ? 4 : 7;
    const busy = measured.reduce((total, { value, slices }) => total + value * slices, 0);
    return Math.min(100, Math.round((busy / boardSlices) * 1e4) / 1e4);
  }

  private worstXid(codes: number[]): number | null {
    const urgency = (code: number) =>
      ['degraded', 'critical'].indexOf(this.xidCatalog?.entry(code).health ?? 'healthy');
    return codes.reduce((worst, code) => (urgency(code) > urgency(worst) ? code : worst));
  }
}
