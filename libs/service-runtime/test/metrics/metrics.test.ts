import { Metrics } from '../../src/metrics/metrics.ts';

async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  return (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
}

it('reads a labeled gauge at each scrape and drops label values that are gone', async () => {
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

it('counts per label value', async () => {
  const metrics = new Metrics('test');
  const count = metrics.counter('rejected_total', 'Rejected.', 'cost');
  for (const cost of ['high', 'low', 'high']) count(cost);
  expect(await linesOf(metrics, 'rejected_total')).toEqual([
    'rejected_total{cost="high",service="test"} 2',
    'rejected_total{cost="low",service="test"} 1',
  ]);
});
