/** @jest-environment @happy-dom/jest-environment */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { detailOf, FakeFleet, gpuOf, reasonOf } from '../support/fake-fleet.ts';
import { pass, renderConsole } from '../support/render-console.tsx';

const MINUTE_MS = 60_000;
const POLL = 'gpus?view=basic&page_size=1';
let fleet: FakeFleet;

beforeEach(() => {
  fleet = new FakeFleet();
  fleet.gpus = [gpuOf('a', { hostname: 'host-1' })];
  setTemperature(61);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const header = () => document.querySelector('header')?.textContent;

function setTemperature(temperature: number): void {
  const detail = detailOf(fleet.gpus[0]!);
  fleet.details.set('a', { ...detail, telemetry: { ...detail.telemetry, temperature_c: temperature } });
}

describe('a page that is left open', () => {
  it('shows an import of samples within one poll, for as long as samples arrive', async () => {
    await renderConsole(fleet, '/gpus/a');
    screen.getByText('61 °C');
    for (let temperature = 62; temperature < 72; temperature += 1) {
      fleet.change(() => setTemperature(temperature), { isImport: true });
      await pass(15_000);
      screen.getByText(`${temperature} °C`);
      expect(header()).toMatch(/updated (now|\d sec ago)/);
    }
  });

  it.each([
    ['/', 'canvas'],
    ['/gpus?view=table', 'GPUs'],
  ])('shows in %s that a GPU goes missing without an import, and recovers', async (path) => {
    await renderConsole(fleet, path);
    const shown = () => screen.getByRole('main').textContent;
    expect(shown()).not.toMatch(/missing ?1|missinghost-1/);
    const become = (health: 'missing' | 'healthy') => () => {
      fleet.gpus = [{ ...fleet.gpus[0]!, health }];
      const evidence = 'no report since 2026-11-25T11:50:00.000Z; one is due every 15 s';
      const reasons = health === 'missing' ? [reasonOf('no_report', evidence, { health, until: null })] : [];
      fleet.details.set('a', detailOf(fleet.gpus[0]!, reasons));
    };
    fleet.change(become('missing'), { isImport: false });
    await pass(6_000);
    expect(shown()).toMatch(/missing ?1|missinghost-1/);
    fleet.change(become('healthy'), { isImport: false });
    await pass(6_000);
    expect(shown()).not.toMatch(/missing ?1|missinghost-1/);
  });

  it('shows the present evidence of a fault on the overview', async () => {
    const become = (evidence: string) => () => {
      fleet.gpus = [{ ...fleet.gpus[0]!, health: 'critical' }];
      fleet.details.set(
        'a',
        detailOf(fleet.gpus[0]!, [reasonOf('temperature_near_shutdown', evidence, { until: null })]),
      );
    };
    become('93 °C; the board shuts down at 95 °C')();
    await renderConsole(fleet, '/');
    expect(screen.getAllByText(/^Temperature near shutdown: 93 °C/).length).toBeGreaterThan(0);
    fleet.change(become('94 °C; the board shuts down at 95 °C'), { isImport: true });
    await pass(6_000);
    expect(screen.getAllByText(/^Temperature near shutdown: 94 °C/).length).toBeGreaterThan(0);
    expect(screen.queryByText(/93 °C/)).toBeNull();
  });

  it('refreshes what was requested before the first poll responded', async () => {
    const { fetch } = fleet;
    let isOld = true;
    jest.spyOn(fleet, 'fetch').mockImplementation(async (request) => {
      const response = await fetch(request);
      // The detail is of the version before that of the first poll.
      if (!request.url.includes('/gpus/a') || !isOld) return response;
      isOld = false;
      setTemperature(70);
      return new Response(await response.text(), { headers: { etag: 'W/"0"' } });
    });
    await renderConsole(fleet, '/gpus/a');
    screen.getByText('61 °C');
    await pass(6_000);
    screen.getByText('70 °C');
  });

  it('does not count as updated while a part of it cannot be refreshed', async () => {
    await renderConsole(fleet, '/gpus/a');
    fleet.failures.set('gpus/a', 502);
    fleet.change(() => setTemperature(93), { isImport: true });
    await pass(2 * MINUTE_MS);
    screen.getByText('61 °C');
    expect(header()).toContain('Not updating: data as of 12:00:00');
    fleet.failures.clear();
    await pass(20_000);
    screen.getByText('93 °C');
    expect(header()).not.toContain('Not updating');
  });

  it('sends one conditional request per 5 s while nothing changes', async () => {
    await renderConsole(fleet, '/gpus?view=table');
    await pass(10_000);
    fleet.requests = [];
    await pass(MINUTE_MS);
    expect(fleet.requests).toEqual(Array.from({ length: 12 }, () => POLL));
  });
});
