import { breakingChanges } from './compatibility/breaking-changes.ts';
import type { RawDocument } from '../src/document/openapi-document.ts';

describe('breakingChanges', () => {
  const before = (): RawDocument => ({
    openapi: '3.1.0',
    info: { title: 'small', version: '1' },
    paths: {
      '/orders': {
        get: {
          operationId: 'listOrders',
          parameters: [
            { name: 'kind', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } },
            { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 10 } },
          ],
          responses: {
            200: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Orders' } } },
              headers: { ETag: { schema: { type: 'string' } } },
            },
            400: { content: { 'application/json': { schema: {} } } },
          },
        },
        post: {
          operationId: 'createOrder',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewOrder' } } },
          },
          responses: { 201: {} },
        },
      },
    },
    components: {
      schemas: {
        Orders: {
          type: 'object',
          required: ['orders', 'total'],
          properties: {
            orders: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
            total: { type: 'integer' },
          },
        },
        Order: {
          type: 'object',
          required: ['name', 'state'],
          properties: {
            name: { oneOf: [{ type: 'string' }, { type: 'null' }] },
            state: { type: 'string', enum: ['on', 'off'] },
            at: { type: 'string', format: 'date-time' },
          },
        },
        NewOrder: {
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
  const operation = (document: RawDocument, method = 'get') => at(document, 'paths', '/orders', method);
  const schema = (document: RawDocument, name: string) =>
    at(document, 'components', 'schemas', name, 'properties');

  it.each<[string, (document: RawDocument) => unknown]>([
    ['GET /orders is removed', (d) => delete at(d, 'paths', '/orders').get],
    ['GET /orders has the operation id all instead of listOrders', (d) => (operation(d).operationId = 'all')],
    ['GET /orders needs a token', (d) => (operation(d).security = [{ bearer: [] }])],
    ['GET /orders query parameter kind is removed', (d) => (operation(d).parameters as unknown[]).shift()],
    [
      'GET /orders query parameter kind is required',
      (d) => (at(d, 'paths', '/orders', 'get', 'parameters', 0).required = true),
    ],
    [
      'GET /orders query parameter kind is never "b"',
      (d) => (at(d, 'paths', '/orders', 'get', 'parameters', 0, 'schema').enum = ['a', 'c']),
    ],
    [
      'GET /orders query parameter size has maximum 9 instead of 10',
      (d) => (at(d, 'paths', '/orders', 'get', 'parameters', 1, 'schema').maximum = 9),
    ],
    [
      'GET /orders query parameter size has minimum 2 instead of 1',
      (d) => (at(d, 'paths', '/orders', 'get', 'parameters', 1, 'schema').minimum = 2),
    ],
    [
      'GET /orders query parameter size is string instead of integer',
      (d) => (at(d, 'paths', '/orders', 'get', 'parameters', 1, 'schema').type = 'string'),
    ],
    [
      'GET /orders query parameter of is new and required',
      (d) =>
        (at(d, 'paths', '/orders', 'get', 'parameters')[2] = { name: 'of', in: 'query', required: true }),
    ],
    ['GET /orders 400 is removed', (d) => delete at(d, 'paths', '/orders', 'get', 'responses')[400]],
    [
      'GET /orders 200 header ETag is removed',
      (d) => delete at(d, 'paths', '/orders', 'get', 'responses', 200).headers,
    ],
    [
      'GET /orders 200 application/json is removed',
      (d) => delete at(d, 'paths', '/orders', 'get', 'responses', 200).content,
    ],
    ['GET /orders 200 total is removed', (d) => delete schema(d, 'Orders').total],
    [
      'GET /orders 200 total is optional',
      (d) => (at(d, 'components', 'schemas', 'Orders').required = ['orders']),
    ],
    [
      'GET /orders 200 total is number instead of integer',
      (d) => (schema(d, 'Orders').total = { type: 'number' }),
    ],
    [
      'GET /orders 200 orders[].name is string instead of null or string',
      (d) => (schema(d, 'Order').name = { type: 'string' }),
    ],
    [
      'GET /orders 200 orders[].state is never "off"',
      (d) => (schema(d, 'Order').state = { type: 'string', enum: ['on'] }),
    ],
    [
      'GET /orders 200 orders[].state is null or string instead of string',
      (d) => (schema(d, 'Order').state = { type: ['string', 'null'], enum: ['on', 'off', null] }),
    ],
    [
      'GET /orders 200 orders[].at has the format none instead of date-time',
      (d) => (schema(d, 'Order').at = { type: 'string' }),
    ],
    [
      'POST /orders body is required',
      (d) => (at(d, 'paths', '/orders', 'post', 'requestBody').required = true),
    ],
    ['POST /orders body is removed', (d) => delete operation(d, 'post').requestBody],
    ['POST /orders body note is removed', (d) => delete schema(d, 'NewOrder').note],
    [
      'POST /orders body note is required',
      (d) => (at(d, 'components', 'schemas', 'NewOrder').required = ['name', 'note']),
    ],
    [
      'POST /orders body name has maxLength 8 instead of 9',
      (d) => (schema(d, 'NewOrder').name = { type: 'string', maxLength: 8 }),
    ],
    [
      'POST /orders body name has pattern x instead of none',
      (d) => (schema(d, 'NewOrder').name = { type: 'string', maxLength: 9, pattern: 'x' }),
    ],
    [
      'POST /orders body size is new and required',
      (d) => {
        schema(d, 'NewOrder').size = { type: 'integer' };
        at(d, 'components', 'schemas', 'NewOrder').required = ['name', 'size'];
      },
    ],
  ])('reports: %s', (change, make) => {
    const after = before();
    make(after);
    expect(breakingChanges(before(), after)).toEqual([change]);
  });

  it('ignores additions', () => {
    const after = before();
    at(after, 'paths')['/invoices'] = {
      get: { operationId: 'listInvoices', parameters: [{ name: 'q', in: 'query', required: true }] },
    };
    (operation(after).parameters as unknown[]).push({ name: 'q', in: 'query', schema: { type: 'string' } });
    at(after, 'paths', '/orders', 'get', 'responses')[429] = {};
    at(after, 'paths', '/orders', 'get', 'parameters', 1, 'schema').maximum = 100;
    schema(after, 'Order').color = { type: 'string' };
    schema(after, 'Order').state = { type: 'string', enum: ['on', 'off', 'failed'] };
    schema(after, 'NewOrder').size = { type: 'integer' };
    schema(after, 'NewOrder').name = { type: 'string', maxLength: 90 };
    expect(breakingChanges(before(), after)).toEqual([]);
  });
});
