import type { Gpu } from '../../src/data/queries.ts';
import { filterGpus, gpusOfHost, withoutGpuFilters } from '../../src/gpus/fleet-filters.ts';

const gpu = (hostname: string, gpu_id: string) =>
  ({
    hostname,
    gpu_id,
    serial_no: `S-${gpu_id}`,
    pcie_address: '00000000:1B:00.0',
    health: 'healthy',
  }) as Gpu;
const fleet = [gpu('node-1', 'GPU-a'), gpu('NODE-1', 'GPU-b'), gpu('node-10', 'GPU-c')];
const idsOf = (search: Record<string, string | undefined>) =>
  filterGpus(fleet, search, new Map()).map(({ gpu_id }) => gpu_id);

describe('filters of GPUs', () => {
  it('match the whole name for a link from a host, because node-1 is not node-10', () => {
    expect(idsOf(gpusOfHost('node-1'))).toEqual(['GPU-a', 'GPU-b']);
  });

  it('match a part of the name for typed text', () => {
    expect(idsOf({ q: 'node-1' })).toEqual(['GPU-a', 'GPU-b', 'GPU-c']);
  });

  it('match the whole id and serial number', () => {
    expect(idsOf({ q: 'gpu-c', q_operator: 'equals' })).toEqual(['GPU-c']);
    expect(idsOf({ q: 's-gpu-c', q_operator: 'equals' })).toEqual(['GPU-c']);
    expect(idsOf({ q: 'gpu', q_operator: 'equals' })).toEqual([]);
  });

  it('are all cleared, and nothing else', () => {
    const search = { ...gpusOfHost('node-1'), health: 'critical', driver: '550', sort: 'host' };
    expect(JSON.parse(JSON.stringify(withoutGpuFilters(search)))).toEqual({ view: 'table', sort: 'host' });
  });
});
