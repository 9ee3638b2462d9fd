import { Readiness } from '../../src/health/readiness.ts';

it('reports each check by name, with its note while it passes', () => {
  const readiness = new Readiness();
  let lag = 0.4;
  readiness.register('database', () => null);
  readiness.register(
    'replication',
    () => (lag > 60 ? `${lag} s behind` : null),
    () => `${lag} s behind`,
  );
  expect(readiness.report()).toEqual({
    ready: true,
    checks: { lifecycle: 'ok', database: 'ok', replication: 'ok (0.4 s behind)' },
  });
  lag = 61;
  expect(readiness.report()).toEqual({
    ready: false,
    checks: { lifecycle: 'ok', database: 'ok', replication: '61 s behind' },
  });
});

it('stays ready with a degradation and reports its reason', () => {
  const readiness = new Readiness();
  let reason: string | null = null;
  readiness.registerDegradation('database_writes', () => reason);
  expect(readiness.report()).toEqual({ ready: true, checks: { lifecycle: 'ok', database_writes: 'ok' } });
  reason = 'the disk of the database is full';
  expect(readiness.report()).toEqual({
    ready: true,
    checks: { lifecycle: 'ok', database_writes: 'degraded (the disk of the database is full)' },
  });
});

it('is not ready while it drains', () => {
  const readiness = new Readiness();
  readiness.drain();
  expect(readiness.report()).toEqual({ ready: false, checks: { lifecycle: 'draining' } });
});
