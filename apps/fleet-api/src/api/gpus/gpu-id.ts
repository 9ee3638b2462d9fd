import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';

/** The path parameter that identifies a GPU. */
export const GPU_ID = {
  name: 'id',
  description: 'GPU-… or host|pci|guest, as returned by the list, raw or percent-encoded.',
} as const;

/** @throws {DomainError} `not_found` when `row` is null: the GPU does not exist, or the caller may not read it */
export function foundGpu<Row>(id: string, row: Row | null): Row {
  if (row !== null) return row;
  throw new DomainError(
    fleetErrors.notFound,
    `There is no GPU ${echo(id)}; ids have the form GPU-… or host|pci|guest, as returned by the list.`,
  );
}

interface ReportingGpu {
  customer_id: number;
  last_seen: Date;
}

/** Compares GPUs of several customers: the GPU that reported last comes first. */
export function byLastReport(a: ReportingGpu, b: ReportingGpu): number {
  return b.last_seen.getTime() - a.last_seen.getTime() || a.customer_id - b.customer_id;
}
