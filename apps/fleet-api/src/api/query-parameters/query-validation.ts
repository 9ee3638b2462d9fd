import { RequestValidation, type Violations } from '@gpu-observatory/service-runtime';
import { echoNames, fleetErrors } from '@gpu-observatory/service-runtime/process';

/** Validates every query string. Dashboards repeat their queries, so valid ones are cached. */
export const queryValidation = new RequestValidation({
  errorKind: fleetErrors.invalidQuery,
  cachedQueries: 2_000,
  describe: ({ unknown, allowed, messages }: Violations) =>
    unknown.length > 0 ? describeUnknown(unknown, allowed) : messages.join(' '),
});

function describeUnknown(unknown: string[], allowed: string[]): string {
  const are = unknown.length === 1 ? 'is not a parameter' : 'are not parameters';
  const takes = allowed.length > 0 ? groupFilters(allowed).join(', ') : 'none';
  return `${echoNames(unknown)} ${are} of this endpoint; it takes ${takes}.`;
}

/** Writes `filter[a][x]`, `filter[a][y]`, `filter[b][x]`, `filter[b][y]` as `filter[a|b][x|y]`. */
function groupFilters(names: string[]): string[] {
  const operatorsOf = new Map<string, string[]>();
  const others: string[] = [];
  for (const name of names) {
    const [, field, operator] = /^filter\[(\w+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (field === undefined || operator === undefined) others.push(name);
    else operatorsOf.set(field, [...(operatorsOf.get(field) ?? []), operator]);
  }
  const fieldsOf = Map.groupBy(operatorsOf.keys(), (field) => operatorsOf.get(field)?.join('|'));
  return [
    ...others,
    ...[...fieldsOf].map(([operators, fields]) => `filter[${fields.join('|')}][${operators}]`),
  ];
}
