import { createAccountClient, createFleetClient, createWebsiteClient, everyAlert } from '../src/index.ts';

/** What the type checker holds; at run time the answers are scripted ones. */
const answering = (body: unknown) => ({
  baseUrl: 'https://service.invalid',
  fetch: (request: Request) => {
    asked.push(`${request.method} ${request.url}`);
    return Promise.resolve(Response.json(body));
  },
});
let asked: string[] = [];
beforeEach(() => {
  asked = [];
});

test('answers have the types of the document', async () => {
  const fleet = createFleetClient(answering({ alerts: [{ hostname: null }], total_size: 1 }));
  const { alerts, total_size } = await fleet.get('/api/v1/alerts', {
    params: { query: { page_size: 5, 'filter[severity][equals]': 'critical' } },
  });
  const hostname: string | null | undefined = alerts[0]?.hostname;
  const total: number | null = total_size;
  expect([hostname, total]).toEqual([null, 1]);
  expect(asked).toEqual([
    'GET https://service.invalid/api/v1/alerts?page_size=5&filter[severity][equals]=critical',
  ]);
});

test('ids are encoded in paths', async () => {
  const fleet = createFleetClient(answering({ gpu: { health: 'missing' } }));
  const { gpu } = await fleet.get('/api/v1/gpus/{id}', {
    params: { path: { id: 'host|00000000:3B:00.0|a/b' } },
  });
  const health: 'healthy' | 'degraded' | 'critical' | 'missing' = gpu.health;
  expect(health).toBe('missing');
  expect(asked).toEqual(['GET https://service.invalid/api/v1/gpus/host%7C00000000%3A3B%3A00.0%7Ca%2Fb']);
});

test('what the document has not is refused by the type checker', async () => {
  const fleet = createFleetClient(answering({}));
  // @ts-expect-error: the id is missing
  await fleet.get('/api/v1/gpus/{id}');
  // @ts-expect-error: there is no such path
  await fleet.get('/api/v1/gpu');
  // @ts-expect-error: there is no such severity
  await fleet.get('/api/v1/alerts', { params: { query: { 'filter[severity][equals]': 'urgent' } } });
  const account = createAccountClient(answering({ api_key: { key: 'secret' } }));
  // @ts-expect-error: the body is missing
  await account.post('/api/v1/keys');
  const { api_key } = await account.post('/api/v1/keys', { body: { name: 'rack 12', workspace_id: 1 } });
  const key: string = api_key.key;
  expect(key).toBe('secret');
  const website = createWebsiteClient(answering({ post: { body: '# Post' } }));
  const { post } = await website.get('/api/posts/{slug}', { params: { path: { slug: 'a' } } });
  const body: string = post.body;
  expect(body).toBe('# Post');
  expect(asked).toHaveLength(6);
});

test('every alert is asked for page by page, and no page before it is needed', async () => {
  const pages = [
    { alerts: [{ id: 'a' }, { id: 'b' }], next_page_token: 'two', total_size: 3 },
    { alerts: [{ id: 'c' }], total_size: null },
  ];
  const fleet = createFleetClient({
    baseUrl: 'https://service.invalid/',
    fetch: (request) => {
      asked.push(new URL(request.url).search);
      return Promise.resolve(Response.json(pages[asked.length - 1]));
    },
  });
  const ids: string[] = [];
  for await (const alert of everyAlert(fleet, { sort: 'severity', page_size: 2 })) {
    ids.push(alert.id);
    if (ids.length === 2) expect(asked).toEqual(['?sort=severity&page_size=2']);
  }
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual(['?sort=severity&page_size=2', '?sort=severity&page_size=2&page_token=two']);
});
