import { ServiceContract, type ServiceContractName } from '../src/index.ts';

const names: ServiceContractName[] = ['introspection', 'revocation-feed', 'signing-keys'];

it.each(names)('%s has examples that keep it', (name) => {
  const contract = new ServiceContract(name);
  expect(contract.answers.length).toBeGreaterThan(0);
  for (const which of contract.answers)
    expect(JSON.parse(contract.standInAnswer(which).body)).toEqual(expect.any(Object));
});

const introspection = new ServiceContract('introspection');
const request = {
  method: 'POST',
  url: '/internal/v1/keys/introspect',
  headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  body: '{"key":"x"}',
};

it.each([
  ['another method', { ...request, method: 'GET' }, 'GET /internal/v1/keys/introspect is not in it'],
  ['another path', { ...request, url: '/v2' }, 'POST /v2 is not in it'],
  [
    'a query',
    { ...request, url: `${request.url}?key=x` },
    'the query at / must NOT have more than 0 properties',
  ],
  [
    'no credential',
    { ...request, headers: { 'content-type': 'application/json' } },
    'authorization: undefined, which is not ^Bearer .+$',
  ],
  [
    'another field',
    { ...request, body: '{"key":"x","more":1}' },
    'the body at / must NOT have additional properties',
  ],
  ['no body', { ...request, body: '' }, 'the body at / must be object'],
])('a request with %s is told from what was agreed', (_what, sent, fault) => {
  expect(introspection.requestFaults(request)).toEqual([]);
  expect(introspection.requestFaults(sent)).toEqual([fault]);
});

it.each([
  ['status 500, not 200', 500, {}],
  ['cache-control: public, which is not ^no-store$', 200, { 'cache-control': 'public' }],
])('an answer is told from what was agreed: %s', async (fault, status, headers) => {
  const which = 'no key, or none that is valid';
  const { body } = introspection.standInAnswer(which);
  const answer = (code: number, more: object) =>
    new Response(body, {
      status: code,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...more },
    });
  expect(await introspection.answerFaults(which, answer(200, {}))).toEqual([]);
  expect(await introspection.answerFaults(which, answer(status, headers))).toEqual([fault]);
  expect(await introspection.answerFaults(which, Response.json({ active: false }))).toContain(
    'the body at / must be equal to constant',
  );
});

it('a stand-in cannot answer what no provider would', () => {
  expect(() => introspection.standInAnswer('a key without a further scope', { key_id: '8' })).toThrow(
    'No provider answers that to "a key without a further scope": the body at /key_id must be integer',
  );
  expect(() => introspection.standInAnswer('a key of gold')).toThrow('The contract has no "a key of gold"');
});
