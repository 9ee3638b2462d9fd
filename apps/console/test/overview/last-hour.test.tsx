/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Gpu } from '../../src/data/queries.ts';
import { detailOf, FakeFleet, gpuOf, minutesAgo, reasonOf } from '../support/fake-fleet.ts';
import { pass, renderConsole } from '../support/render-console.tsx';

let fleet: FakeFleet;
beforeEach(() => {
  fleet = new FakeFleet();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const shown = () => document.querySelector('main')?.textContent ?? '';

/** Adds GPUs of one host that have been degraded for some minutes. */
function addDegraded(count: number, host: string, minutes: number): void {
  const gpus: Gpu[] = Array.from({ length: count }, (_unused, n) =>
    gpuOf(`${host}-${n}`, { health: 'degraded', hostname: host }),
  );
  fleet.gpus.push(...gpus);
  const reason = reasonOf('throttling', 'throttled 7 times in 10 minutes', {
    health: 'degraded',
    since: minutesAgo(minutes),
  });
  for (const gpu of gpus) fleet.details.set(gpu.gpu_id, detailOf(gpu, [reason]));
}

describe('GPUs that became unhealthy in the last hour', () => {
  it('are found after many that have been unhealthy for longer', async () => {
    addDegraded(60, 'old', 300);
    addDegraded(8, 'rack', 5);
    await renderConsole(fleet, '/');
    await pass(2_000);
    expect(shown()).toContain('8 GPUs are newly unhealthy');
    expect(shown()).not.toContain('At least');
  });

  it('are denied only after every unhealthy GPU was checked', async () => {
    addDegraded(3, 'old', 300);
    fleet.failures.set('gpus/', null);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('Checking since when 3 of 3 unhealthy GPUs are unhealthy…');
    expect(shown()).not.toContain('No GPU');
  });

  it('are denied with the number of those that became so earlier', async () => {
    addDegraded(3, 'old', 300);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('No GPU is newly unhealthy: the 3 that are unhealthy became so earlier.');
  });

  it('are not known if the details cannot be requested', async () => {
    addDegraded(3, 'old', 300);
    fleet.failures.set('gpus/', 502);
    await renderConsole(fleet, '/');
    expect(shown()).toContain('Since when 3 of 3 unhealthy GPUs are unhealthy is not known.');
    expect(shown()).toContain('The rule behind it is not known.');
    expect(shown()).not.toContain('No GPU');
  });

  it.each([null, 502])('are not denied while the list of GPUs has the status %s', async (status) => {
    addDegraded(3, 'old', 300);
    const { fetch } = fleet;
    jest.spyOn(fleet, 'fetch').mockImplementation((request) => {
      if (!/gpus\?view=basic$/.test(request.url)) return fetch(request);
      if (status === null) return new Promise(() => undefined);
      return Promise.resolve(Response.json({ error: 'upstream_error', message: 'away' }, { status }));
    });
    await renderConsole(fleet, '/');
    expect(shown()).toContain('Newest alerts');
    expect(shown()).not.toMatch(/No GPU|newly unhealthy/);
  });

  it('are counted as far as they are known if there are too many to check', async () => {
    addDegraded(195, 'old', 300);
    addDegraded(8, 'rack', 5);
    await renderConsole(fleet, '/');
    await pass(5_000);
    expect(shown()).toContain('At least 5 GPUs are newly unhealthy');
    expect(shown()).toContain('Since when 3 of 203 unhealthy GPUs are unhealthy is not known.');
  });
});
