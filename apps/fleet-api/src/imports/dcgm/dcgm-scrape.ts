import type { RecordReader } from '../records/record-reader.ts';
import type { Line } from '../running/lines.ts';
import type { SourceItem } from '../running/source.ts';
import type { Origin } from '../writing/batch.ts';
import { type DcgmReadings, ENGINE_ACTIVE, FIELD_BY_NAME, isBlank } from './dcgm-fields.ts';
import { gpuIdentity, inventoryOf } from './gpu-labels.ts';
import { parsePrometheusLine, type PrometheusSample } from './prometheus-line.ts';

/** One GPU of a scrape, while its lines are being read. */
interface ScrapedGpu extends DcgmReadings {
  gpuId: string;
  lines: Line[];
  at: number | null;
  /** Engine activity and memory by MIG instance; the whole board under ''. */
  engineActive: Map<string, { fraction: number | null; slices: number }>;
  usedByInstance: Map<string, number>;
  freeByInstance: Map<string, number>;
}

/** A GPU has seven compute slices to divide (NVIDIA MIG user guide, "Partitioning"). */
const COMPUTE_SLICES = 7;

/**
 * A dcgm-exporter scrape as records: for each GPU a `gpu` and a `gpu_sample`. Every line ends in one of them or is a
 * fault of its own with its reason; one bad line costs nothing but itself.
 *
 * @param at the time of lines that have none of their own
 */
export function readDcgmScrape(file: string, lines: Line[], at: Date, reader: RecordReader): SourceItem[] {
  const items: SourceItem[] = [];
  const gpus = new Map<string, ScrapedGpu>();
  for (const line of lines) {
    const fault = line.fault ?? takeLine(gpus, line);
    if (fault !== null) items.push({ fault, origin: { file, lines: [line] } });
  }
  for (const gpu of gpus.values()) items.push(...toRecords(file, gpu, at, reader));
  return items;
}

/** @returns why the line cannot be kept, or null */
function takeLine(gpus: Map<string, ScrapedGpu>, line: Line): string | null {
  const sample = parsePrometheusLine(line.text);
  if (sample === null) return null;
  if ('fault' in sample) return sample.fault;
  const field = FIELD_BY_NAME.get(sample.name);
  if (!field && sample.name !== ENGINE_ACTIVE)
    return `${sample.name} is not a reading that this service keeps`;
  const gpuId = gpuIdentity(sample.labels);
  if (gpuId === null) return 'the labels name no GPU: there should be a UUID, or Hostname and pci_bus_id';

  const value = isBlank(sample.value) ? null : sample.value;
  const { min, max } = field ?? { min: 0, max: 1 };
  if (value !== null && (value < min || value > max))
    return `${sample.name} of ${value} is outside of ${min} to ${max}`;
  if (value !== null && field?.whole && !Number.isInteger(value))
    return `${sample.name} of ${value} should be whole`;

  const gpu = gpus.get(gpuId) ?? newGpu(gpuId);
  gpus.set(gpuId, gpu);
  gpu.lines.push(line);
  Object.assign(gpu.inventory, inventoryOf(sample.labels));
  if (sample.timestampMs !== null) gpu.at = Math.max(gpu.at ?? 0, sample.timestampMs);
  takeValue(gpu, sample, value);
  return null;
}

function takeValue(gpu: ScrapedGpu, sample: PrometheusSample, value: number | null): void {
  const instance = sample.labels.GPU_I_ID ?? '';
  if (instance !== '') gpu.inventory.mig_enabled = true;
  if (sample.name === ENGINE_ACTIVE) {
    const slices =
      instance === '' ? COMPUTE_SLICES : Number.parseInt(sample.labels.GPU_I_PROFILE ?? '1', 10) || 1;
    gpu.engineActive.set(instance, { fraction: value, slices });
    return;
  }
  if (instance !== '' && value !== null && sample.name === 'DCGM_FI_DEV_FB_USED') {
    gpu.usedByInstance.set(instance, value);
    return;
  }
  if (instance !== '' && value !== null && sample.name === 'DCGM_FI_DEV_FB_FREE') {
    gpu.freeByInstance.set(instance, value);
    return;
  }
  FIELD_BY_NAME.get(sample.name)?.apply(gpu, value);
}

function newGpu(gpuId: string): ScrapedGpu {
  return {
    gpuId,
    lines: [],
    at: null,
    readings: {},
    inventory: {},
    nvlinkErrors: [],
    engineActive: new Map(),
    usedByInstance: new Map(),
    freeByInstance: new Map(),
  };
}

function toRecords(file: string, gpu: ScrapedGpu, at: Date, reader: RecordReader): SourceItem[] {
  const { readings } = gpu;
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  if (gpu.usedByInstance.size > 0) readings.memory_used_mib = sum(gpu.usedByInstance.values());
  if (gpu.freeByInstance.size > 0) gpu.framebufferFreeMib = sum(gpu.freeByInstance.values());
  if (
    readings.memory_total_mib === undefined &&
    gpu.framebufferFreeMib != null &&
    readings.memory_used_mib != null
  ) {
    readings.memory_total_mib = readings.memory_used_mib + gpu.framebufferFreeMib;
  }
  if (readings.utilization_pct == null) {
    const activity = utilizationOf(gpu.engineActive);
    if (activity !== undefined) readings.utilization_pct = activity;
  }
  const nvlink = gpu.nvlinkErrors.filter((value) => value !== null);
  if (gpu.nvlinkErrors.length > 0) readings.nvlink_errors_total = nvlink.length > 0 ? sum(nvlink) : null;

  const time = (gpu.at === null ? at : new Date(gpu.at)).toISOString();
  const origin: Origin = { file, lines: gpu.lines };
  const records = [
    { kind: 'gpu', at: time, gpu_id: gpu.gpuId, vendor: 'NVIDIA', hostname: '', ...gpu.inventory },
    { kind: 'gpu_sample', at: time, gpu_id: gpu.gpuId, ...readings },
  ].map((record) => reader.read(record));
  const fault = records.find((result) => 'fault' in result);
  if (fault && 'fault' in fault) return [{ fault: fault.fault, origin }];
  return records.flatMap((result, index) =>
    // The sample answers for the lines; if the GPU itself is refused, so is its sample.
    'record' in result ? [{ record: result.record, origin: index === 1 ? origin : { file, lines: [] } }] : [],
  );
}

/** Engine activity in percent of the whole board: each MIG instance weighs as many slices as it has. */
function utilizationOf(engineActive: ScrapedGpu['engineActive']): number | null | undefined {
  if (engineActive.size === 0) return undefined;
  const board = engineActive.get('');
  if (board) return board.fraction === null ? null : round(board.fraction * 100);
  const known = [...engineActive.values()].filter((instance) => instance.fraction !== null);
  if (known.length === 0) return null;
  const busy = known.reduce((total, { fraction, slices }) => total + (fraction ?? 0) * slices, 0);
  return Math.min(100, round((busy / COMPUTE_SLICES) * 100));
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
