import { parser } from '@prometheus-io/lezer-promql';

/**
 * The metrics that an expression of PromQL names, by Prometheus' own grammar.
 *
 * @throws {Error} at what is not PromQL
 */
export function metricsIn(expression: string): string[] {
  const metrics: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression.slice(from, from + 30)}`);
      if (name === 'Identifier') metrics.push(expression.slice(from, to));
    },
  });
  return metrics;
}
