/** @jest-environment @happy-dom/jest-environment */
import { afterEach, expect, it, jest } from '@jest/globals';
import { detailOf, FakeFleet, gpuOf, minutesAgo, reasonOf } from '../support/fake-fleet.ts';
import { renderConsole } from '../support/render-console.tsx';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('shows the fault of a GPU off the bus with its own start, and denies no processes', async () => {
  const fleet = new FakeFleet();
  const gpu = gpuOf('a', { health: 'missing', last_seen: minutesAgo(57) });
  const evidence = 'XID 79: GPU has fallen off the bus (restart host)';
  const detail = detailOf(gpu, [reasonOf('critical_xid', evidence, { since: minutesAgo(120) })]);
  detail.security_diagnostics.recent_xid_errors = [
    { code: 79, name: '', severity: 'critical', action: '', count: 1, occurred_at: minutesAgo(57) },
  ];
  fleet.gpus = [gpu];
  fleet.details.set('a', detail);
  await renderConsole(fleet, '/gpus/a');
  const text = document.querySelector('main')?.textContent;
  expect(text).toContain(
    'XID 79: GPU has fallen off the bus. Began 57 min ago; another fault of this kind began 2 hr ago. ' +
      'It does not end by itself.What to do: Drain the host and restart it.',
  );
  expect(text).toContain('Unknown: it does not report.');
});
