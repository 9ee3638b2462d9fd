import { readFileSync } from 'node:fs';
import { RULE_ACTIONS } from '../../src/model/health/rule-actions.ts';

const page = readFileSync(new URL('../../../../docs/gpu-health.md', import.meta.url), 'utf8');
const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
/** The cells of the rows that begin with a rule. */
const rowsOf = (title: string) =>
  [...section(title).matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm)].map(([, rule, next]) => [rule, next]);

test('each rule of docs/gpu-health.md has an instruction', () => {
  expect(Object.keys(RULE_ACTIONS)).toEqual(rowsOf('Rules').map(([rule]) => rule));
});

test('an instruction is a sentence, and documented', () => {
  for (const action of Object.values(RULE_ACTIONS)) expect(action).toMatch(/^[A-Z][^.]*\.$/);
  expect(Object.fromEntries(rowsOf('What to do'))).toEqual(RULE_ACTIONS);
});
