import { readFileSync } from 'node:fs';
import { XID_CATALOGUE } from '../../src/gpus/health/xid-catalogue.ts';

const page = readFileSync(new URL('../../../../docs/gpu-health.md', import.meta.url), 'utf8');

test('the XID table on the page is that of the code', () => {
  const rows = [...page.matchAll(/^\| (\d+) +\| (.+?) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, code, name, family, action, health]) => ({
      code: Number(code),
      name,
      class: family,
      action,
      health: health === '–' ? null : health,
    }),
  );
  expect(rows).toEqual(XID_CATALOGUE.map((entry) => ({ ...entry })));
});

test('every rule is on the page, and no other', () => {
  const source = readFileSync(new URL('../../src/gpus/health/health-fact.ts', import.meta.url), 'utf8');
  const union = /export type HealthRule =([^;]+);/.exec(source)?.[1] ?? '';
  const rules = [...union.matchAll(/'(\w+)'/g)].map(([, rule]) => rule as string);
  const listed = [...page.matchAll(/^\| (?:missing|critical|degraded) +\| `(\w+)` +\|/gm)].map(
    ([, rule]) => rule as string,
  );
  expect(rules.length).toBeGreaterThan(5);
  expect(listed.sort()).toEqual([...rules, 'no_report'].sort());
});
