import { CASES, readOptions } from '../src/options.ts';
import { formatTable } from '../src/report.ts';
import { checkSameRows } from '../src/requests.ts';

test('reads options, and names the invalid one with what it accepts', () => {
  expect(readOptions([])).toEqual({
    size: { alerts: 1_000_000, gpus: 1_000, days: 90 },
    cases: CASES,
    seconds: 2,
    rounds: 5,
    against: undefined,
  });
  expect(readOptions(['--only', 'growth,imports']).cases).toEqual(['growth', 'imports']);
  jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  const errors = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const errorOf = (...args: string[]) => {
    expect(() => readOptions(args)).toThrow('exit');
    return String(errors.mock.lastCall?.[0]);
  };
  expect(errorOf('--alerts', '12')).toMatch(/'--alerts <n>'.* an integer from 3000 to 1000000000\./);
  expect(errorOf('--only', 'exports')).toMatch(/'--only <cases>'.* accepts reads, growth, imports\./);
});

test('a reference with other rows is an error', () => {
  const ours = Buffer.from('{"alerts":[{"id":"a"},{"id":"b"}],"total_size":2}');
  const theirs = (rows: object[]) => Buffer.from(JSON.stringify({ alerts: rows }));
  expect(() => checkSameRows('2 alerts', ours, theirs([{ id: 'a' }, { id: 'b' }]))).not.toThrow();
  expect(() => checkSameRows('2 alerts', ours, theirs([{ id: 'b' }, { id: 'a' }]))).toThrow('2 alerts');
  expect(() => checkSameRows('2 alerts', ours, theirs([{ id: 'a' }]))).toThrow('2 alerts');
});

test('prints a table of Markdown, in which rows may lack columns', () => {
  const rows = [
    { request: 'alert', 'p50 ms': 0.456, ratio: 1.333 },
    { request: '50 alerts', 'p50 ms': 1234.5 },
  ];
  expect(formatTable(rows).split('\n')).toEqual([
    '| request | p50 ms | ratio |',
    '| --- | --: | --: |',
    '| alert | 0.46 | 1.3 |',
    '| 50 alerts | 1,230 |  |',
  ]);
});
