/** @jest-environment @happy-dom/jest-environment */
import { afterEach, expect, it, jest } from '@jest/globals';
import { FakeFleet, NOW } from '../support/fake-fleet.ts';
import { pass, renderConsole } from '../support/render-console.tsx';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('moves the window of the metrics at midnight UTC', async () => {
  const fleet = new FakeFleet();
  await renderConsole(fleet, '/metrics?window=7d');
  const requested = (to: string) =>
    fleet.requests.some((request) => request.endsWith(encodeURIComponent(to)));
  expect(requested('2026-11-26T00:00:00.000Z')).toBe(true);
  jest.setSystemTime(NOW + 13 * 3_600_000);
  await pass(12_000);
  expect(requested('2026-11-27T00:00:00.000Z')).toBe(true);
});
