import { parser } from '@prometheus-io/lezer-promql';

/**
 * Returns the metric names in an expression, parsed with Prometheus' own grammar.
 *
 * @throws {Error} for invalid PromQL
 */
export function metricsIn(expression: string): string[] {
  const metrics: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) throw new Error(`invalid PromQL at ${from}: ${expression.slice(from, from + 30)}`);
      if (name === 'Identifier') metrics.push(expression.slice(from, to));
    },
  });
  return metrics;
}
