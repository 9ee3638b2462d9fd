import { copyFileSync, readFileSync } from 'node:fs';
import { breakingChanges } from '../src/compatibility/compare.ts';
import { type RawDocument, readDocument } from '../src/document/openapi-document.ts';

const services = ['fleet-api', 'account-service', 'website-api'];
const changes = new URL('../../../docs/changes.md', import.meta.url);
const current = (service: string) => new URL(`../../../apps/${service}/openapi.json`, import.meta.url);
const released = (service: string) => new URL(`../baseline/${service}/openapi.json`, import.meta.url);

describe.each(services)('the document of %s', (service) => {
  it('only grows, or docs/changes.md says what it takes back', () => {
    const recorded = readFileSync(changes, 'utf8');
    const unrecorded = breakingChanges(readDocument(released(service)), readDocument(current(service)))
      .map((change) => `${service}: ${change}`)
      .filter((change) => !recorded.includes(`\`${change}\``));
    expect(unrecorded).toEqual([]);
    if (process.env.ACCEPT === 'true') copyFileSync(current(service), released(service));
  });

  it('has an operation id for each operation, and none twice', () => {
    const { paths } = readDocument(current(service));
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    expect(ids).toEqual(ids.filter((id) => typeof id === 'string' && /^[a-z][A-Za-z]+$/.test(id)));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Everything that can be taken back or narrowed, each in one change of a small document. */
describe('a breaking change', () => {
  const before = (): RawDocument => ({
    openapi: '3.1.0',
    info: { title: 'small', version: '1' },
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [
            { name: 'kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } },
            { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 10 } },
          ],
          responses: {
            200: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } },
              headers: { ETag: { schema: { type: 'string' } } },
            },
            400: { content: { 'application/json': { schema: {} } } },
          },
        },
        post: {
          operationId: 'makeThing',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } },
          },
          responses: { 201: {} },
        },
      },
    },
    components: {
      schemas: {
        Things: {
          type: 'object',
          required: ['things', 'total'],
          properties: {
            things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
            total: { type: 'integer' },
          },
        },
        Thing: {
          type: 'object',
          required: ['name', 'state'],
          properties: {
            name: { oneOf: [{ type: 'string' }, { type: 'null' }] },
            state: { type: 'string', enum: ['on', 'off'] },
            at: { type: 'string', format: 'date-time' },
          },
        },
        NewThing: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 9 }, note: { type: 'string' } },
        },
      },
    },
  });

  type Tree = Record<string, Record<string, never>>;
  const at = (document: RawDocument, ...path: (string | number)[]) =>
    path.reduce(
      (node, name) => (node as unknown as Tree)[name] as unknown as RawDocument,
      document,
    ) as unknown as Record<string, unknown>;
  const operation = (document: RawDocument, method = 'get') => at(document, 'paths', '/things', method);
  const schema = (document: RawDocument, name: string) =>
    at(document, 'components', 'schemas', name, 'properties');

  it.each<[string, (document: RawDocument) => unknown]>([
    ['GET /things is removed', (d) => delete at(d, 'paths', '/things').get],
    ['GET /things has the operation id all instead of listThings', (d) => (operation(d).operationId = 'all')],
    ['GET /things needs a token', (d) => (operation(d).security = [{ bearer: [] }])],
    ['GET /things query parameter kind is removed', (d) => (operation(d).parameters as unknown[]).shift()],
    [
      'GET /things query parameter kind is required',
      (d) => (at(d, 'paths', '/things', 'get', 'parameters', 0).required = true),
    ],
    [
      'GET /things query parameter kind is never "b"',
      (d) => (at(d, 'paths', '/things', 'get', 'parameters', 0, 'schema').enum = ['a', 'c']),
    ],
    [
      'GET /things query parameter size has maximum 9 instead of 10',
      (d) => (at(d, 'paths', '/things', 'get', 'parameters', 1, 'schema').maximum = 9),
    ],
    [
      'GET /things query parameter size has minimum 2 instead of 1',
      (d) => (at(d, 'paths', '/things', 'get', 'parameters', 1, 'schema').minimum = 2),
    ],
    [
      'GET /things query parameter size is string instead of integer',
      (d) => (at(d, 'paths', '/things', 'get', 'parameters', 1, 'schema').type = 'string'),
    ],
    [
      'GET /things query parameter of is new and required',
      (d) =>
        (at(d, 'paths', '/things', 'get', 'parameters')[2] = { name: 'of', in: 'query', required: true }),
    ],
    ['GET /things 400 is removed', (d) => delete at(d, 'paths', '/things', 'get', 'responses')[400]],
    [
      'GET /things 200 header ETag is removed',
      (d) => delete at(d, 'paths', '/things', 'get', 'responses', 200).headers,
    ],
    [
      'GET /things 200 application/json is removed',
      (d) => delete at(d, 'paths', '/things', 'get', 'responses', 200).content,
    ],
    ['GET /things 200 total is removed', (d) => delete schema(d, 'Things').total],
    [
      'GET /things 200 total may be left out',
      (d) => (at(d, 'components', 'schemas', 'Things').required = ['things']),
    ],
    [
      'GET /things 200 total is number instead of integer',
      (d) => (schema(d, 'Things').total = { type: 'number' }),
    ],
    [
      'GET /things 200 things[].name is string instead of null or string',
      (d) => (schema(d, 'Thing').name = { type: 'string' }),
    ],
    [
      'GET /things 200 things[].state is never "off"',
      (d) => (schema(d, 'Thing').state = { type: 'string', enum: ['on'] }),
    ],
    [
      'GET /things 200 things[].state is null or string instead of string',
      (d) => (schema(d, 'Thing').state = { type: ['string', 'null'], enum: ['on', 'off', null] }),
    ],
    [
      'GET /things 200 things[].at has the format none instead of date-time',
      (d) => (schema(d, 'Thing').at = { type: 'string' }),
    ],
    [
      'POST /things body is required',
      (d) => (at(d, 'paths', '/things', 'post', 'requestBody').required = true),
    ],
    ['POST /things body is removed', (d) => delete operation(d, 'post').requestBody],
    ['POST /things body note is removed', (d) => delete schema(d, 'NewThing').note],
    [
      'POST /things body note is required',
      (d) => (at(d, 'components', 'schemas', 'NewThing').required = ['name', 'note']),
    ],
    [
      'POST /things body name has maxLength 8 instead of 9',
      (d) => (schema(d, 'NewThing').name = { type: 'string', maxLength: 8 }),
    ],
    [
      'POST /things body name has pattern x instead of none',
      (d) => (schema(d, 'NewThing').name = { type: 'string', maxLength: 9, pattern: 'x' }),
    ],
    [
      'POST /things body size is new and required',
      (d) => {
        schema(d, 'NewThing').size = { type: 'integer' };
        at(d, 'components', 'schemas', 'NewThing').required = ['name', 'size'];
      },
    ],
  ])('is seen: %s', (change, make) => {
    const after = before();
    make(after);
    expect(breakingChanges(before(), after)).toEqual([change]);
  });

  it('is none of what is only added', () => {
    const after = before();
    at(after, 'paths')['/others'] = {
      get: { operationId: 'others', parameters: [{ name: 'q', in: 'query', required: true }] },
    };
    (operation(after).parameters as unknown[]).push({ name: 'q', in: 'query', schema: { type: 'string' } });
    at(after, 'paths', '/things', 'get', 'responses')[429] = {};
    at(after, 'paths', '/things', 'get', 'parameters', 1, 'schema').maximum = 100;
    schema(after, 'Thing').colour = { type: 'string' };
    schema(after, 'Thing').state = { type: 'string', enum: ['on', 'off', 'broken'] };
    schema(after, 'NewThing').size = { type: 'integer' };
    schema(after, 'NewThing').name = { type: 'string', maxLength: 90 };
    expect(breakingChanges(before(), after)).toEqual([]);
  });
});
