import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { XidCatalog } from '../../../model/health/xid-catalog.ts';
import type { Line } from '../../run/lines.ts';
import type { GpuInventory } from '../../records/records.ts';
import { combineInstances } from './combined-instances.ts';
import { type BoardRecord, FieldRules, type FieldValues } from './field-rules.ts';
import { type ExporterField, XID } from './exporter-field.ts';
import type { BoardPart, ExporterFormat } from './exporter-format.ts';
import { addLine, type ReportedValue } from './reported-value.ts';
import type { Workload } from './workload-labels.ts';

/** Readings of a GPU, the lines they were read from, and the lines that were not used because of others. */
interface GpuReport extends BoardRecord {
  workloads: Workload[];
  /** XIDs with the time of their last occurrence. */
  xids: { code: number; at: string }[];
  lines: Line[];
  /** Lines that contradict another field of the GPU. */
  rejected: { line: Line; fault: string }[];
  /** Number of lines per series that are not needed, because preferred lines have the value. */
  unused: { series: string; lines: number }[];
}

/** `instance` of the board itself. */
const BOARD = '';
const NO_VALUES: readonly ReportedValue[] = [];

/** Collects the lines of one GPU at one time of a scrape. */
export class ScrapedGpu {
  readonly inventory: GpuInventory = {};
  /** Values of the board, by field number. */
  private readonly board = new Map<number, ReportedValue>();
  /** Values of MIG instances, or of the chips of a board, by field number and instance. */
  private readonly instances = new Map<number, Map<string, ReportedValue>>();
  private readonly infoLines: Line[] = [];
  private readonly workloads = new Set<Workload>();
  private readonly xids: GpuReport['xids'] = [];

  constructor(
    readonly gpuId: string,
    readonly atMs: number,
    private readonly format: ExporterFormat,
    private readonly xidCatalog?: XidCatalog,
  ) {}

  /** Adds a line without a reading, whose labels are stored. */
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
   * Adds the value of a line.
   *
   * @returns the fault of the line, or null
   */
  addValue(field: ExporterField, part: BoardPart, value: number | null, line: Line): string | null {
    // Without a rule that combines instances, the line of each instance has the value of the board.
    const instance = field.instances === undefined ? BOARD : part.instance;
    const earlier =
      instance === BOARD ? this.board.get(field.number) : this.instances.get(field.number)?.get(instance);
    if (earlier !== undefined) return addLine(earlier, field, value, line);
    const first = { value, lines: [line], slices: part.slices };
    if (instance === BOARD) this.board.set(field.number, first);
    else this.addInstance(field, instance, first);
    return null;
  }

  private addInstance({ number }: ExporterField, instance: string, value: ReportedValue): void {
    const byInstance = this.instances.get(number);
    if (byInstance === undefined) this.instances.set(number, new Map([[instance, value]]));
    else byInstance.set(instance, value);
  }

  /** Returns the report of the board, after applying the rules between its fields. */
  resolve(): GpuReport {
    const report: GpuReport = {
      readings: {},
      inventory: { ...this.inventory },
      workloads: this.distinctWorkloads(),
      xids: this.xids,
      lines: [...this.infoLines],
      rejected: [],
      unused: [],
    };
    const values = this.boardValues();
    const rules = new FieldRules(this.format, values);
    for (const [number, value] of values) {
      this.addField(this.format.fieldByNumber.get(number) as ExporterField, value, rules, report);
    }
    return report;
  }

  /** Adds a field to the report: its value with the lines that have it, or all its lines as rejected or unused. */
  private addField(field: ExporterField, value: number | null, rules: FieldRules, report: GpuReport): void {
    const board = this.board.get(field.number);
    const boardLines = board?.lines ?? [];
    const instanceLines = this.instanceValuesOf(field).flatMap(({ lines }) => lines);
    const lines = [...boardLines, ...instanceLines];
    const fault = rules.faultOf(field);
    if (fault !== null) {
      report.rejected.push(...lines.map((line) => ({ line, fault })));
    } else if (value !== null && rules.isUnused(field)) {
      report.unused.push({ series: seriesOf(field), lines: lines.length });
    } else {
      rules.assign(field, value, report);
      const boardHasValue = board !== undefined && board.value !== null;
      report.lines.push(...(boardHasValue ? boardLines : lines));
      if (boardHasValue && instanceLines.length > 0)
        report.unused.push({ series: seriesOf(field), lines: instanceLines.length });
    }
  }

  /** Returns the values of the board itself. A value that it lacks is combined from its instances. */
  private boardValues(): FieldValues {
    const values = new Map<number, number | null>();
    const board = {
      model: this.inventory.model,
      xid: this.board.get(XID)?.value ?? null,
      xidCatalog: this.xidCatalog,
    };
    for (const field of this.format.fields) {
      const reported = this.board.get(field.number);
      const instances = this.instanceValuesOf(field);
      if (reported !== undefined && (reported.value !== null || instances.length === 0))
        values.set(field.number, reported.value);
      else if (instances.length > 0) values.set(field.number, combineInstances(field, instances, board));
    }
    return values;
  }

  private instanceValuesOf({ number }: ExporterField): readonly ReportedValue[] {
    const byInstance = this.instances.get(number);
    return byInstance === undefined ? NO_VALUES : [...byInstance.values()];
  }

  /** Returns each workload once: lines that differ in other labels may have equal workloads. */
  private distinctWorkloads(): Workload[] {
    if (this.workloads.size < 2) return [...this.workloads];
    return [...new Map([...this.workloads].map((one) => [JSON.stringify(one), one])).values()];
  }
}

/** Returns the series of a field. A name may end with a text in parentheses that distinguishes fields of one series. */
function seriesOf({ names: [name] }: ExporterField): string {
  const [series = ''] = name.split(' ');
  return series;
}
