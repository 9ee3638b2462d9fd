import { parsePrometheusLine } from '../../src/importer/formats/exporters/prometheus-line.ts';
import { SeriesCache } from '../../src/importer/formats/exporters/series-cache.ts';
import fc from 'fast-check';

const sample = (text: string) => {
  const parsed = parsePrometheusLine(text);
  if (parsed === null || 'fault' in parsed) throw new Error(`no sample: ${JSON.stringify(parsed)}`);
  return { ...parsed, labels: { ...parsed.labels } };
};
const fault = (text: string) => {
  const parsed = parsePrometheusLine(text);
  return parsed !== null && 'fault' in parsed ? parsed.fault : null;
};

describe('a line of the Prometheus text format', () => {
  test.each<[string, string, object]>([
    ['plain', 'm{a="1",b="x"} 29', { name: 'm', labels: { a: '1', b: 'x' }, value: 29, timestampMs: null }],
    ['labels in another order', 'm{b="x",a="1"} 29', { labels: { a: '1', b: 'x' } }],
    ['spaces after commas', 'm{a="1", b="x"} 29', { labels: { a: '1', b: 'x' } }],
    ['spaces everywhere', 'm { a = "1" , b = "x" } 29', { name: 'm', labels: { a: '1', b: 'x' } }],
    ['a comma at the end', 'm{a="1",} 29', { labels: { a: '1' } }],
    ['many blanks before the brace', `m{a="1",${' '.repeat(500)}} 29`, { labels: { a: '1' }, value: 29 }],
    ['no labels', 'm 29', { name: 'm', labels: {}, value: 29 }],
    ['empty labels', 'm{} 29', { labels: {}, value: 29 }],
    ['no blank before the value', 'm{a="1"}29', { value: 29 }],
    ['escapes', String.raw`m{a="C:\\d\n\"q\"",b="\x"} 1`, { labels: { a: 'C:\\d\n"q"', b: String.raw`\x` } }],
    ['a brace and a comma in a label', 'm{a="},{",b="#"} 1', { labels: { a: '},{', b: '#' } }],
    ['an exponent', 'm 1.5e+3', { value: 1500 }],
    ["Go's way with large numbers", 'm 9.223372036854776e+18', { value: 9223372036854775808 }],
    ['no digit before the point', 'm .5', { value: 0.5 }],
    ['a sign', 'm -3', { value: -3 }],
    ['NaN', 'm NaN', { value: Number.NaN }],
    ['+Inf', 'm +Inf', { value: Infinity }],
    ['-Inf', 'm -Inf', { value: -Infinity }],
    ['a timestamp', 'm 1 1795219200123', { timestampMs: 1795219200123 }],
    ["OpenMetrics' timestamp", 'm 1 1795219200.123', { timestampMs: 1795219200123 }],
    ["OpenMetrics' timestamp without a fraction", 'm 1 1795219200', { timestampMs: 1795219200000 }],
    ['an exemplar', 'm_total{a="1"} 17 # {trace_id="KOO"} 0.67', { value: 17, timestampMs: null }],
    ['an exemplar behind a timestamp', 'm 17 1795219200123 # {a="b"} 1', { timestampMs: 1795219200123 }],
    ['tabs', 'm\t{a="1"}\t29\t1795219200123', { name: 'm', value: 29, timestampMs: 1795219200123 }],
    ['a carriage return', 'm 29\r', { value: 29 }],
    ['a byte order mark', '\uFEFFm 29', { name: 'm' }],
    ['a label called __proto__', 'm{__proto__="x"} 1', { value: 1 }],
  ])('%s', (_dialect, text, expected) => {
    expect(sample(text)).toMatchObject(expected);
  });

  test.each(['', '   ', '# HELP m Text', '# TYPE m gauge', '# EOF', '#', '\r'])(
    '%j is not a sample',
    (text) => {
      expect(parsePrometheusLine(text)).toBeNull();
    },
  );

  test.each<[string, RegExp]>([
    ['{a="1"} 29', /begin with a metric name/],
    ['29', /begin with a metric name/],
    ['m', /value is missing/],
    ['m{a="1"}', /value is missing/],
    ['m{a="1"', /not closed/],
    ['m{a="1" b="2"} 1', /not closed/],
    ['m{a="1', /labels are invalid/],
    ['m{a=1} 1', /labels are invalid/],
    ['m{,} 1', /labels are invalid/],
    ['m{a="1",,b="2"} 1', /labels are invalid/],
    [String.raw`m{a="1\"} 1`, /labels are invalid/],
    ['m{a="1"} x', /not a number: x/],
    ['m{a="1"} 0x10', /not a number/],
    ['m 1 2 3', /not a timestamp/],
    ['m 1 99999999999999999999', /timestamp is not a time/],
    ['m 1 -5', /timestamp is not a time/],
    ['m-n 1', /value is missing/],
    ['DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-c45', /labels are invalid/],
    ['\u0000\u0001PK\u0003', /begin with a metric name/],
  ])('rejects %j with its reason', (text, reason) => {
    expect(fault(text)).toMatch(reason);
  });

  test('parses any formatted sample back', () => {
    const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,20}$/);
    const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,10}$/).filter((text) => text !== '__proto__');
    const blanks = fc.constantFrom('', ' ', '\t', '  ');
    fc.assert(
      fc.property(
        name,
        fc.dictionary(label, fc.string({ unit: 'binary' }), { maxKeys: 6 }),
        fc.double({ noNaN: true }),
        fc.option(fc.integer({ min: 1e11, max: 2e12 })),
        blanks,
        (metric, labels, value, timestampMs, blank) => {
          const escaped = Object.entries(labels).map(
            ([key, text]) =>
              `${key}${blank}=${blank}"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
          );
          const number = Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
          const line = `${metric}{${escaped.join(`${blank},${blank}`)}} ${number}${timestampMs === null ? '' : ` ${timestampMs}`}`;
          expect(sample(line)).toEqual({
            name: metric,
            labels,
            value: Number(number.replace('Inf', 'Infinity')),
            timestampMs,
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  test('any text is a sample, a comment or a fault, and never an exception', () => {
    const piece = fc.oneof(
      fc.constantFrom('m', '{', '}', '"', '\\', ',', '=', ' ', '\t', '1', 'e', '#', 'NaN', '+Inf', '\u0000'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const parsed = parsePrometheusLine(pieces.join(''));
        expect(
          parsed === null ||
            'fault' in parsed ||
            Number.isNaN(parsed.value) ||
            Number(parsed.value) === parsed.value,
        ).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('cached labels give the same sample', () => {
    const block = fc.constantFrom(
      '{}',
      '{a="1"}',
      '{a="1",}',
      '{ a = "1" , b="}" }',
      '{a="\\"}"}',
      '{a="1"',
      '{a="1"}} ',
      '{a="1"} 3 # {b="2"}',
      '{a="1"}{a="1"}',
    );
    const line = fc
      .tuple(
        fc.constantFrom('m', 'm ', 'other'),
        block,
        fc.constantFrom(' 1', '2', ' 1 # {a="1"} 1', ' }', ''),
      )
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 12 }), (lines) => {
        const cache = new SeriesCache();
        for (const text of lines) expect(parsePrometheusLine(text, cache)).toEqual(parsePrometheusLine(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a truncated line is a fault or a shorter number', () => {
    const whole = 'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",Hostname="n"} 68.347';
    for (let length = 1; length < whole.indexOf('}') + 2; length += 1)
      expect(fault(whole.slice(0, length))).not.toBeNull();
  });

  test.each<[string, (length: number) => string]>([
    ['a long label', (n) => `m{a="${'x'.repeat(n)}"} 1`],
    ['a label that never ends', (n) => `m{a="${'x'.repeat(n)}`],
    ['escapes that never end', (n) => `m{a="${'\\a'.repeat(n / 2)}`],
    ['quotes', (n) => `m{${'"'.repeat(n)}`],
    ['blanks in the labels', (n) => `m{${' '.repeat(n)}x`],
    ['blanks behind a label', (n) => `m{a="1"${' '.repeat(n)}x`],
    ['blanks behind the value', (n) => `m 1${' '.repeat(n)}x`],
    ['blanks before the value', (n) => `m${' '.repeat(n)}`],
    ['many labels', (n) => `m{${'a="1",'.repeat(n / 6)}`],
    ['a long name', (n) => 'm'.repeat(n)],
    ['a long value', (n) => `m ${'1'.repeat(n)}x`],
    ['a long timestamp', (n) => `m 1 ${'1'.repeat(n)}x`],
    ['many signs', (n) => `m 1 ${'1 '.repeat(n / 2)}`],
    ['hash signs', (n) => `m ${'1#'.repeat(n / 2)}`],
  ])('parsing %s takes linear time', (_kind, line) => {
    const text = line(1_000_000);
    const began = performance.now();
    parsePrometheusLine(text);
    // Ten milliseconds on a quiet machine; a pattern that backtracks would take minutes.
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
