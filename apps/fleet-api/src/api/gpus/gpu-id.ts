import { echo } from '@gpu-observatory/service-runtime/process';

/** The path parameter that identifies a GPU. */
export const GPU_ID = {
  name: 'id',
  description: 'GPU-… or host|pci|guest, as returned by the list, raw or percent-encoded.',
} as const;

/** Returns the message for a GPU that does not exist, or that the caller may not read. */
export function unknownGpu(id: string): string {
  return `There is no GPU ${echo(id)}; ids have the form GPU-… or host|pci|guest, as returned by the list.`;
}

interface ReportingGpu {
  customer_id: number;
  last_seen: Date;
}

/** Compares GPUs of several customers: the GPU that reported last comes first. */
export function byLastReport(a: ReportingGpu, b: ReportingGpu): number {
  return b.last_seen.getTime() - a.last_seen.getTime() || a.customer_id - b.customer_id;
}
