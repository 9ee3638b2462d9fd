import { negotiateExport } from '../../src/api/exports/export-type.ts';

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

test.each<[string, string | null]>([
  ['', null],
  ['*/*', null],
  ['application/json', null],
  ['text/*', null],
  ['text/html, application/xhtml+xml, */*;q=0.8', null],
  [CSV, CSV],
  ['Text/CSV; charset=utf-8; header=present', CSV],
  [NDJSON, NDJSON],
  [`${CSV}, */*`, null],
  [`${CSV}, */*;q=0.9`, CSV],
  [`*/*;q=0.5, ${NDJSON};q=0.6`, NDJSON],
  [`${CSV}, application/json`, null],
  [`${CSV};q=0.9, application/json`, null],
  [`${CSV}, application/json;q=0.9`, CSV],
  [`${NDJSON}, application/*`, null],
  [`${NDJSON}, application/*;q=0.9`, NDJSON],
  [`${CSV};q=0.5, application/json;q=0.1, */*`, null],
  [`${CSV};q=0.1, application/json;q=0, */*;q=0`, CSV],
  [`${CSV};q=0`, null],
  [`${NDJSON}, ${CSV}`, CSV],
  [`${NDJSON};q=0.9, ${CSV};q=0.8`, NDJSON],
  [`${CSV};q=0.1, ${CSV}`, CSV],
  [`${CSV};x="a,b;q=0.1", */*;q=0.9`, CSV],
  [`${CSV};q=x`, null],
  [`${CSV};q=2`, null],
  [`${CSV};q=1.`, CSV],
  [`${CSV};q=1.000`, CSV],
  [`${CSV};q=0.`, null],
  [`${CSV};Q=0.001`, CSV],
  // A q-value is from 0 to 1 with at most three decimals.
  [`${CSV};q=1.001`, null],
  [`${CSV};q=1.5`, null],
  [`${CSV};q=1.0000`, null],
  [`${CSV};q=0.0001`, null],
  [`${CSV};q=.5`, null],
  [`${CSV};q=`, null],
  [`${CSV};q=-1`, null],
  [`${CSV};q=1e0`, null],
  [`${CSV};q="1"`, null],
  [`${CSV};q = 1`, null],
  [`${CSV};q=1.5, ${NDJSON};q=0.1`, NDJSON],
  [`${CSV};q=0.5, application/json;q=1.5`, CSV],
  ['application/ndjson', null],
  [`,;, ${CSV} ,`, CSV],
])('Accept: %s selects %s', (accept, type) => {
  expect(negotiateExport({ accept }).exportType).toBe(type);
});

test('without Accept the response is JSON', () => {
  expect(negotiateExport({}).exportType).toBeNull();
});

test.each([
  [`${CSV};q=0.1, application/json`, true],
  [NDJSON, true],
  ['text/*, */*', false],
  ['', false],
])('the response to Accept: %s depends on it: %s', (accept, expected) => {
  expect(negotiateExport({ accept }).isListed).toBe(expected);
});
