import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ExportedRow, exportStream } from '../../src/api/exports/export-stream.ts';

const csvOf = (columns: string[], ...pages: ExportedRow[][]) =>
  text(exportStream('text/csv', columns, Readable.from(pages)));
const ndjsonOf = (...pages: ExportedRow[][]) =>
  text(exportStream('application/x-ndjson', [], Readable.from(pages)));

test('a CSV has one header row, and CRLF after each row', async () => {
  expect(await csvOf(['a', 'b'], [{ a: 1, b: 'x' }], [], [{ b: 'y', a: 2 }])).toBe('a,b\r\n1,x\r\n2,y\r\n');
  expect(await csvOf(['a', 'b'], [])).toBe('a,b\r\n');
  expect(await csvOf(['a', 'b'])).toBe('a,b\r\n');
});

test('cells are quoted where they must be', async () => {
  const cells = ['a,b', 'a "b"', 'a\nb', 'a\r\nb', ' a ', 'ä 警告'];
  expect(await csvOf(['a'], [...cells.map((a) => ({ a }))])).toBe(
    `a\r\n"a,b"\r\n"a ""b"""\r\n"a\nb"\r\n"a\r\nb"\r\n a \r\nä 警告\r\n`,
  );
});

test('objects have a column per field, arrays are JSON, and null is an empty cell', async () => {
  const columns = ['reason.rule', 'reason.gpu.id', 'list', 'is_idle', 'n'];
  expect(
    await csvOf(columns, [
      { reason: { rule: 'xid', gpu: { id: 'GPU-1' } }, list: ['a', 'b'], is_idle: true, n: 0 },
      { reason: { rule: 'xid', gpu: null }, list: [], is_idle: false, n: -1.5 },
      { reason: null, list: null, is_idle: null, n: null },
      {},
    ]),
  ).toBe(
    'reason.rule,reason.gpu.id,list,is_idle,n\r\nxid,GPU-1,"[""a"",""b""]",true,0\r\nxid,,[],false,-1.5\r\n,,,,\r\n,,,,\r\n',
  );
});

test.each([
  ...['=1+1', '+1', '-1', '@SUM(A1)', '=cmd|"/c calc"!A1', '=1,2', '=1\r\n2', '＝1', '＋1', '－1', '＠1'],
  ...['\t=1', '\r=1', '\n=1', '\tx', '\nx', '  =1', '\u00a0=1', '\ufeff@x', '\r\n-1'],
])('a spreadsheet does not execute %j', async (formula) => {
  const [, cell] = /^a\r\n(.*)\r\n$/s.exec(await csvOf(['a'], [{ a: formula }])) ?? [];
  expect(cell?.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"')).toBe(`'${formula}`);
});

test.each(['a=1', '"=1"', "'=1", ' a', '1-2', '−1', 'a\n=1'])('%j stays as it is', async (text) => {
  const [, cell] = /^a\r\n(.*)\r\n$/s.exec(await csvOf(['a'], [{ a: text }])) ?? [];
  expect(cell?.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"')).toBe(text);
});

test('NDJSON has the rows as they are', async () => {
  const rows = [{ a: '=1', b: null, c: { d: [1] } }, { a: 'x\ny' }];
  expect(await ndjsonOf(rows.slice(0, 1), rows.slice(1))).toBe(
    '{"a":"=1","b":null,"c":{"d":[1]}}\n{"a":"x\\ny"}\n',
  );
  expect(await ndjsonOf([])).toBe('');
});

test('a page that cannot be read breaks the stream', async () => {
  const pages = async function* () {
    yield [{ a: 1 }];
    await Promise.reject(new Error('the database went away'));
  };
  await expect(text(exportStream('text/csv', ['a'], pages()))).rejects.toThrow('the database went away');
});
