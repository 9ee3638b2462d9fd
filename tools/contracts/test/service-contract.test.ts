import { ServiceContract, type ServiceContractName } from './between-services/service-contract.ts';

const names: ServiceContractName[] = ['introspection', 'revocation-feed', 'signing-keys'];

it.each(names)('the examples of %s match the contract', (name) => {
  const contract = new ServiceContract(name);
  expect(contract.cases.length).toBeGreaterThan(0);
  for (const which of contract.cases)
    expect(JSON.parse(contract.stubResponse(which).body)).toEqual(expect.any(Object));
});

const introspection = new ServiceContract('introspection');
const request = {
  method: 'POST',
  url: '/internal/v1/keys/introspect',
  headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  body: '{"key":"x"}',
};

it.each([
  [
    'another method',
    { ...request, method: 'GET' },
    'GET /internal/v1/keys/introspect is not in the contract',
  ],
  ['another path', { ...request, url: '/v2' }, 'POST /v2 is not in the contract'],
  [
    'a query',
    { ...request, url: `${request.url}?key=x` },
    'the query at / must NOT have more than 0 properties',
  ],
  [
    'no credential',
    { ...request, headers: { 'content-type': 'application/json' } },
    'authorization: undefined does not match ^Bearer .+$',
  ],
  [
    'another field',
    { ...request, body: '{"key":"x","more":1}' },
    'the body at / must NOT have additional properties',
  ],
  ['no body', { ...request, body: '' }, 'the body at / must be object'],
])('reports a request with %s', (_what, sent, violation) => {
  expect(introspection.requestViolations(request)).toEqual([]);
  expect(introspection.requestViolations(sent)).toEqual([violation]);
});

it.each([
  ['status is 500, not 200', 500, {}],
  ['cache-control: public does not match ^no-store$', 200, { 'cache-control': 'public' }],
])('reports a response with another status or header: %s', async (violation, status, headers) => {
  const which = 'a missing or invalid key';
  const { body } = introspection.stubResponse(which);
  const response = (code: number, more: object) =>
    new Response(body, {
      status: code,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...more },
    });
  expect(await introspection.responseViolations(which, response(200, {}))).toEqual([]);
  expect(await introspection.responseViolations(which, response(status, headers))).toEqual([violation]);
  expect(await introspection.responseViolations(which, Response.json({ active: false }))).toContain(
    'the body at / must be equal to constant',
  );
});

it('rejects a stub response that violates the contract', () => {
  expect(() => introspection.stubResponse('a key without additional scopes', { key_id: '8' })).toThrow(
    'The stub response for "a key without additional scopes" violates the contract: the body at /key_id must be integer',
  );
  expect(() => introspection.stubResponse('a key of gold')).toThrow(
    'The contract has no case "a key of gold"',
  );
});
