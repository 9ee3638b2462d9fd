import fc, { type Arbitrary } from 'fast-check';
import type { HttpRequest } from '../deployment/http-exchange.ts';
import type { Operation, Parameter, RawDocument } from '../document/openapi-document.ts';
import type { TargetOptions } from '../rules/target.ts';
import { encoded, hostileHeader, hostileJson, hostileText } from './hostile-values.ts';
import { existing, type KnownValues, nearValid } from './near-valid-values.ts';
import { weighted } from './weighted.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const ALL_METHODS = [...SAFE_METHODS, 'PUT', 'PATCH', 'DELETE', 'POST'];

type RequestSeeds = TargetOptions & { known: KnownValues };

const HEADERS = [
  'accept-encoding',
  'accept-language',
  'cookie',
  'forwarded',
  'if-modified-since',
  'if-none-match',
  'origin',
  'range',
  'traceparent',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-request-id',
  'idempotency-key',
];
/** Enough to cover most pairs of parameters within a run. */
const MAX_QUERY_PARAMETERS = 4;

/** Generates requests to one operation. Most parts are valid, so that the malformed part gets past the first checks. */
export function hostileRequests(
  document: RawDocument,
  operation: Operation,
  seeds: RequestSeeds,
): Arbitrary<HttpRequest> {
  return fc
    .record({
      method: weighted(
        [30, fc.constant(operation.method)],
        [1, fc.constantFrom(...(seeds.write ? ALL_METHODS : SAFE_METHODS))],
      ),
      path: paths(document, operation, seeds),
      query: queries(document, operation, seeds),
      headers: headers(document, operation, seeds),
      body: operation.body ? bodies(document, operation.body.schema, seeds.known) : fc.constant(undefined),
    })
    .map(({ method, path, query, headers: sentHeaders, body }) => ({
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: sentHeaders,
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
    }));
}

function paths(
  document: RawDocument,
  { path, parameters }: Operation,
  { known }: RequestSeeds,
): Arbitrary<string> {
  const parts = path.split(/(\{[^}]+\})/).map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema ?? {};
    return valueOf(document, schema, known[`${path} ${name}`], 2);
  });
  const slash = weighted([20, fc.constantFrom('', '/')], [1, fc.constantFrom('//', '/.', '%2f', ';x=1')]);
  return fc.tuple(fc.tuple(...parts), slash).map(([texts, end]) => `${texts.join('')}${end}`);
}

/** Generates a value for a path or a query, near a valid one with this weight against 2. */
function valueOf(
  document: RawDocument,
  schema: Parameter['schema'],
  known: string[] | undefined,
  weight: number,
): Arbitrary<string> {
  const near = existing(known, schema, nearValid(document, schema));
  return weighted(
    [weight, near.map((value) => encodeURIComponent(String(value).toWellFormed()))],
    [2, encoded(hostileText)],
  );
}

/** Queries that no parser may fail on. */
const ODD_QUERIES = [
  '',
  '=',
  '&&',
  'a',
  '__proto__[x]=1',
  'filter[__proto__][equals]=1',
  'filter=1',
  'filter[][]=1',
  'filter[severity]=high',
  'filter[severity][in][]=high',
  'a=1&'.repeat(300),
];

function queries(
  document: RawDocument,
  { parameters }: Operation,
  { known }: RequestSeeds,
): Arbitrary<string> {
  const declared = parameters.filter((parameter) => parameter.in === 'query');
  const one = ({ name, schema }: Parameter) => {
    const oddNames = [`${name}[]`, `${name}[x]`, name.toUpperCase(), ` ${name}`];
    return fc
      .tuple(
        weighted([12, fc.constant(name)], [1, fc.constantFrom(...oddNames)]),
        valueOf(document, schema, known[name], 5),
      )
      .map(([sentName, value]) => `${encodeURIComponent(sentName)}=${value}`);
  };
  const odd = fc.oneof(
    fc.tuple(encoded(hostileText), encoded(hostileText)).map(([name, value]) => `${name}=${value}`),
    fc.constantFrom(...ODD_QUERIES),
  );
  const odds = fc.array(odd, { maxLength: 1 });
  const regular =
    declared.length === 0
      ? fc.constant([])
      : fc.array(fc.constantFrom(...declared).chain(one), { maxLength: MAX_QUERY_PARAMETERS });
  const required = fc.tuple(...declared.filter((parameter) => parameter.required).map(one));
  return weighted(
    [6, fc.tuple(required, regular).map(([must, may]) => [...must, ...may].join('&'))],
    [1, fc.tuple(regular, odds).map(([some, more]) => [...some, ...more].join('&'))],
  );
}

function headers(
  document: RawDocument,
  operation: Operation,
  { token, origin }: RequestSeeds,
): Arbitrary<HttpRequest['headers']> {
  const named = operation.parameters.filter((parameter) => parameter.in === 'header');
  const optional: Record<string, Arbitrary<string>> = Object.fromEntries(
    HEADERS.map((name) => [name, hostileHeader]),
  );
  for (const { name, schema } of named) {
    optional[name.toLowerCase()] = fc.oneof(
      hostileHeader,
      nearValid(document, schema).map((value) =>
        String(value)
          .replaceAll(/[^\x20-\x7e]/g, '?')
          .trim(),
      ),
    );
  }
  if (origin !== undefined) optional.origin = fc.oneof(fc.constant(origin), hostileHeader);
  const some: Arbitrary<Record<string, string>> = fc
    .subarray(Object.keys(optional), { maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, optional[name]!]))));
  const accept = weighted(
    [6, fc.constant('application/json')],
    [1, fc.constantFrom('*/*', 'text/html', 'text/markdown', 'application/json;q=0', ',,;q=', 'a/b;q=9')],
    [1, hostileHeader],
  );
  const type = weighted(
    [12, fc.constant('application/json')],
    [
      1,
      fc.constantFrom(
        'application/json; charset=utf-16',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json, application/json',
        '',
      ),
    ],
    [1, hostileHeader],
  );
  const credential =
    token === undefined
      ? hostileHeader
      : weighted(
          [12, fc.constant(`Bearer ${token}`)],
          [1, hostileHeader.map((text) => `Bearer ${text}`)],
          [1, hostileHeader],
        );
  const always: Record<string, Arbitrary<string>> = {
    accept,
    ...(operation.body && { 'content-type': type }),
    ...(operation.secured && { authorization: credential }),
  };
  return fc.tuple(some, fc.record(always)).map(([more, these]) => ({ ...more, ...these }));
}

function bodies(
  document: RawDocument,
  schema: Parameter['schema'],
  known: KnownValues,
): Arbitrary<string | Buffer> {
  const near = nearValid(document, schema, known);
  const mutated = fc
    .tuple(near, fc.array(fc.tuple(hostileText, hostileJson), { minLength: 1, maxLength: 2 }), fc.nat())
    .map(([value, changes, choice]) => {
      const fields = { ...(value as Record<string, unknown>) };
      const names = Object.keys(fields);
      for (const [name, other] of changes)
        fields[choice % 3 === 0 ? name : (names[choice % Math.max(1, names.length)] ?? name)] = other;
      return JSON.stringify(fields);
    });
  return weighted<string | Buffer>(
    [3, near.map((value) => JSON.stringify(value))],
    [4, mutated],
    [1, hostileJson.map((value) => JSON.stringify(value))],
    [1, near.map((value) => JSON.stringify(value).slice(0, -1))],
    [1, fc.uint8Array({ maxLength: 60 }).map((octets) => Buffer.from(octets))],
    [
      1,
      fc.constantFrom(
        '',
        ' ',
        'null',
        '{"__proto__":{"a":1}}',
        '{"constructor":{"prototype":{"a":1}}}',
        '{"a":1,"a":2}',
        '{"a":"\\ud800"}',
        '{"a":"\\u0000"}',
        '﻿{}',
        `{"a":${'1'.repeat(400)}}`,
        `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
        `{"a":"${'x'.repeat(70_000)}"}`,
      ),
    ],
  );
}
