import { concatenate } from '@gpu-observatory/service-runtime';
import { Series } from './fleet-metrics.ts';
import { daysOf, type MetricsWindow } from './metrics-window.ts';

/** Placeholder of a series during serialization. No other string of the metrics is empty or ends with a quote. */
const PLACEHOLDER = '';

/**
 * Returns the metrics as JSON. The points of a series, such as `{"date":"Nov 21","value":1.5}`, are concatenated: as objects they
 * take twice as long.
 */
export function metricsJson(metrics: object, window: MetricsWindow): Buffer {
  const prefixes = daysOf(window).map((dayMs) => `{"date":"${dayLabel(dayMs)}","value":`);
  const series: string[] = [];
  const text = JSON.stringify({ metrics }, (_key, value: unknown) => {
    if (!(value instanceof Series)) return value;
    const points = value.values.map((number, day) => `${prefixes[day] as string}${JSON.stringify(number)}}`);
    series.push(`[${points.join(',')}]`);
    return PLACEHOLDER;
  });
  const parts = text.split(JSON.stringify(PLACEHOLDER));
  return concatenate(parts.flatMap((part, n) => [part, series[n] ?? '']));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayLabel(dayMs: number): string {
  const day = new Date(dayMs);
  return `${MONTHS[day.getUTCMonth()] as string} ${day.getUTCDate()}`;
}
