import { Metrics } from '../../src/metrics/metrics.ts';

async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
}

it('reads gauges of a label when it is asked, and forgets what is no longer there', async () => {
  const metrics = new Metrics('test');
  let lags: [number, number][] = [
    [1, 2.5],
    [2, 0],
  ];
  metrics.labeledGauge('lag_seconds', 'Lag.', 'customer_id', () => lags);
  expect(await linesOf(metrics, 'lag_seconds')).toEqual([
    'lag_seconds{customer_id="1",service="test"} 2.5',
    'lag_seconds{customer_id="2",service="test"} 0',
  ]);
  lags = [[2, 7]];
  expect(await linesOf(metrics, 'lag_seconds')).toEqual(['lag_seconds{customer_id="2",service="test"} 7']);
});

it('counts under values of a label', async () => {
  const metrics = new Metrics('test');
  const refused = metrics.counter('refused_total', 'Refused.', 'pace');
  for (const pace of ['slow', 'quick', 'slow']) refused(pace);
  expect(await linesOf(metrics, 'refused_total')).toEqual([
    'refused_total{pace="slow",service="test"} 2',
    'refused_total{pace="quick",service="test"} 1',
  ]);
});
