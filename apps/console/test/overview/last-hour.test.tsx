/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Gpu } from '../../src/data/queries.ts';
import { detailOf, FakeFleet, gpuOf, minutesAgo, reasonOf } from '../support/fake-fleet.ts';
import { renderConsole } from '../support/render-console.tsx';

let fleet: FakeFleet;
beforeEach(() => {
  fleet = new FakeFleet();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const shown = () => document.querySelector('main')?.textContent ?? '';

/** Adds GPUs of one host that have been degraded, or critical, for some minutes. */
function addDegraded(
  count: number,
  host: string,
  minutes: number,
  health: 'degraded' | 'critical' = 'degraded',
): void {
  const gpus: Gpu[] = Array.from({ length: count }, (_unused, n) =>
    gpuOf(`${host}-${n}`, { health, hostname: host }),
  );
  fleet.gpus.push(...gpus);
  const reason = reasonOf('throttling', 'throttled 7 times in 10 minutes', {
    health,
    since: minutesAgo(minutes),
  });
  for (const gpu of gpus) fleet.details.set(gpu.gpu_id, detailOf(gpu, [reason]));
}

describe('GPUs that became unhealthy in the last hour', () => {
  it.each([60, 1_200])('are counted after %i that have been unhealthy for longer', async (count) => {
    addDegraded(count, 'old', 300);
    addDegraded(8, 'rack', 5);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('8 GPUs are newly unhealthy');
    expect(fleet.requests.filter((path) => path.startsWith('gpus/'))).toEqual([]);
  });

  it('are marked in the list of all that need a person, and not listed twice', async () => {
    addDegraded(3, 'old', 300);
    addDegraded(2, 'rack', 5);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('2 GPUs are newly unhealthy, marked “new” in the list.');
    expect(shown().match(/rack/g)).toHaveLength(1);
    expect(shown()).toMatch(/rack 2 GPUsnew/);
  });

  it('are listed where the list of those that need a person is too short for them', async () => {
    for (let n = 0; n < 10; n++) addDegraded(1, `critical-${n}`, 300, 'critical');
    addDegraded(2, 'rack', 5);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('2 GPUs are newly unhealthy.');
    expect(shown().match(/rack/g)).toHaveLength(1);
  });

  it('are denied with the number of those that became so earlier', async () => {
    addDegraded(3, 'old', 300);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('No GPU is newly unhealthy: the 3 that are unhealthy became so earlier.');
  });

  it.each([null, 502])('are not denied while the unhealthy GPUs have the status %s', async (status) => {
    addDegraded(3, 'old', 300);
    fleet.failures.set('gpu-status', status);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('Newest alerts');
    expect(shown()).not.toMatch(/No GPU|newly unhealthy/);
  });
});
