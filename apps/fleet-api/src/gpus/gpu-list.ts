import { Readable } from 'node:stream';
import { formatTimestamp, type GpuHealth } from '@gpu-observatory/domain-types';
import type { GpuListRow, GpuPlace } from './gpus.queries.ts';

/** Rows that are read at once. */
export const ROWS_AT_ONCE = 1_000;

type ReadRows = (places: readonly GpuPlace[]) => Promise<GpuListRow[]>;

/**
 * The list as JSON. However long it is, only so many rows are in memory, and no connection waits for a slow client: they
 * are read as the answer leaves. The first are read before it begins, so that a database that is away is an error.
 */
export async function gpuListText(places: GpuPlace[], readRows: ReadRows): Promise<string | Readable> {
  const first = render(places, await readRows(places.slice(0, ROWS_AT_ONCE)));
  if (places.length <= ROWS_AT_ONCE) return `{"gpus":[${first}]}`;
  return Readable.from(rest(first, places, readRows), { objectMode: false });
}

async function* rest(first: string, places: GpuPlace[], readRows: ReadRows): AsyncGenerator<string> {
  yield `{"gpus":[${first}`;
  let separator = first === '' ? '' : ',';
  for (let begin = ROWS_AT_ONCE; begin < places.length; begin += ROWS_AT_ONCE) {
    const some = places.slice(begin, begin + ROWS_AT_ONCE);
    const text = render(some, await readRows(some));
    if (text === '') continue;
    yield separator + text;
    separator = ',';
  }
  yield ']}';
}

/** A row's health is the one that gave it its place. */
function render(places: readonly GpuPlace[], rows: GpuListRow[]): string {
  const healths = new Map(places.map(([customerId, gpuId, health]) => [`${customerId} ${gpuId}`, health]));
  return rows
    .map((row) => renderRow(row, healths.get(`${row.customer_id} ${row.gpu_id}`) as GpuHealth))
    .join(',');
}

function renderRow(row: GpuListRow, health: GpuHealth): string {
  const measured = JSON.stringify({
    gpu_id: row.gpu_id,
    workspace_id: row.workspace_id,
    vendor: row.vendor,
    model: row.model,
    compute_stack: row.compute_stack,
    driver_version: row.driver_version,
    health,
    hostname: row.hostname,
    pcie_address: row.pcie_address,
    serial_no: row.serial_no,
    utilization_pct: row.utilization_pct,
    temperature_c: row.temperature_c,
    xid_errors: row.xid_errors,
  });
  const series = row.utilization_series === null ? '' : `,"utilization_series":${row.utilization_series}`;
  return `${measured.slice(0, -1)}${series},"last_seen":"${formatTimestamp(row.last_seen)}"}`;
}
