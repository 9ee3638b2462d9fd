import { createFleetClient, NotModified } from '../src/index.ts';
import { type ScriptedService, sendJson, startScriptedService } from './support/service.ts';

let service: ScriptedService;
beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service.close());

const asOf = '2026-11-22T10:00:00.000Z';
const respondWithEtag = () => {
  service.respond = ({ path, headers }, response) => {
    const etag = `"${path}"`;
    const validators = { etag, 'x-data-as-of': asOf, 'x-request-id': 'r-1' };
    if (headers['if-none-match'] === etag) response.writeHead(304, validators).end();
    else sendJson(response, 200, { alerts: [{ id: path }], total_size: 1 }, validators);
  };
};

test('a call returns the status and headers of its response', async () => {
  respondWithEtag();
  const fleet = createFleetClient({ baseUrl: service.url });
  const { data, response } = await fleet.get('/api/v1/alerts').withResponse();
  expect(data.total_size).toBe(1);
  expect(response).toMatchObject({
    status: 200,
    etag: '"/api/v1/alerts"',
    dataAsOf: asOf,
    requestId: 'r-1',
    notModified: false,
  });
  expect(response.headers.get('content-type')).toBe('application/json');
});

test('a failed call rejects with and without its response', async () => {
  service.respond = (_request, response) => sendJson(response, 404, { error: 'not_found', message: 'No.' });
  const fleet = createFleetClient({ baseUrl: service.url });
  await expect(fleet.get('/api/v1/alerts').withResponse()).rejects.toMatchObject({ code: 'not_found' });
  await expect(fleet.get('/api/v1/alerts')).rejects.toMatchObject({ code: 'not_found' });
});

describe('a conditional client', () => {
  it('returns the cached data of a URL after a 304', async () => {
    respondWithEtag();
    const fleet = createFleetClient({ baseUrl: service.url, conditional: true });
    const first = await fleet.get('/api/v1/alerts');
    const second = await fleet.get('/api/v1/alerts').withResponse();
    expect(second.data).toBe(first);
    expect(second.response).toMatchObject({ status: 304, notModified: true, dataAsOf: asOf });
    const other = await fleet.get('/api/v1/alerts', { params: { query: { page_size: 5 } } });
    expect(other.alerts[0]?.id).toBe('/api/v1/alerts?page_size=5');
  });

  it('evicts the least recently used URL above maxEntries', async () => {
    respondWithEtag();
    const fleet = createFleetClient({ baseUrl: service.url, conditional: { maxEntries: 2 } });
    const get = (page_size: number) => fleet.get('/api/v1/alerts', { params: { query: { page_size } } });
    for (const size of [1, 2, 1, 3, 1, 2]) await get(size);
    const conditional = service.requests.map(({ headers }) => 'if-none-match' in headers);
    expect(conditional).toEqual([false, false, true, false, true, false]);
  });

  it('does not cache the response of a call with conditional: false', async () => {
    respondWithEtag();
    const fleet = createFleetClient({ baseUrl: service.url, conditional: true });
    await fleet.get('/api/v1/alerts', { conditional: false });
    const { response } = await fleet.get('/api/v1/alerts').withResponse();
    expect(response.notModified).toBe(false);
  });

  it('clears the cache after a 401', async () => {
    respondWithEtag();
    const fleet = createFleetClient({ baseUrl: service.url, conditional: true });
    await fleet.get('/api/v1/alerts');
    service.respond = (_request, response) =>
      sendJson(response, 401, { error: 'unauthorized', message: 'No.' });
    await expect(fleet.get('/api/v1/gpus')).rejects.toMatchObject({ code: 'unauthorized' });
    respondWithEtag();
    const { response } = await fleet.get('/api/v1/alerts').withResponse();
    expect(response.notModified).toBe(false);
  });
});

test("a 304 to the caller's own If-None-Match throws NotModified", async () => {
  respondWithEtag();
  const fleet = createFleetClient({ baseUrl: service.url });
  const headers = { 'if-none-match': '"/api/v1/alerts"' };
  await expect(fleet.get('/api/v1/alerts', { headers })).rejects.toBeInstanceOf(NotModified);
});
