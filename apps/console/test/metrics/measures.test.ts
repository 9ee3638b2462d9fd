import type { FleetMetrics } from '../../src/data/queries.ts';
import { MEASURE_GROUPS, shownMeasures } from '../../src/metrics/measures.ts';

const { measures } = MEASURE_GROUPS.find(({ title }) => title === 'GPU health')!;

describe('measures that are shown', () => {
  it('are those with a chart, and the active crash chains, which never have one', () => {
    const charts = { avg_health_score: [] } as unknown as FleetMetrics['metrics_charts'];
    expect(shownMeasures(measures, charts).map(({ key }) => key)).toEqual([
      'avg_health_score',
      'active_crash_chains',
    ]);
  });

  it('are none without a chart in the group', () => {
    expect(shownMeasures(measures, {})).toEqual([]);
  });
});
