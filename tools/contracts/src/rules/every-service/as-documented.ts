import type { Operation } from '../../document/openapi-document.ts';
import { expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';

/** Returns one rule per operation, to be checked last: all responses until then match the document. */
export function asDocumented(operations: Operation[]): Rule[] {
  return operations.map(({ id }) =>
    rule(`as-documented: ${id}`, 'openapi.json', ({ observed }) => {
      const observation = observed.get(id);
      if (!observation) throw new Skipped('no rule requested it');
      const { count, statuses, violations } = observation;
      expectThat(violations.size === 0, [...violations].slice(0, 3).join('; '));
      return `${count} responses: ${[...statuses].sort().join(', ')}`;
    }),
  );
}
