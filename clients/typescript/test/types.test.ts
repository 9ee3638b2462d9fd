import {
  cookieSession,
  createAccountClient,
  createFleetClient,
  createWebsiteClient,
  everyAlert,
} from '../src/index.ts';

/** The type checker does the checking; the responses are scripted. */
const respondingWith = (body: unknown) => ({
  baseUrl: 'https://service.invalid',
  fetch: (request: Request) => {
    sent.push(`${request.method} ${request.url}`);
    return Promise.resolve(Response.json(body));
  },
});
let sent: string[] = [];
beforeEach(() => {
  sent = [];
});

test('response bodies have the types of the document', async () => {
  const fleet = createFleetClient(respondingWith({ alerts: [{ hostname: null }], total_size: 1 }));
  const { alerts, total_size } = await fleet.get('/api/v1/alerts', {
    params: { query: { page_size: 5, 'filter[severity][equals]': 'critical' } },
  });
  const hostname: string | null | undefined = alerts[0]?.hostname;
  const total: number | null = total_size;
  expect([hostname, total]).toEqual([null, 1]);
  expect(sent).toEqual([
    'GET https://service.invalid/api/v1/alerts?page_size=5&filter[severity][equals]=critical',
  ]);
});

test('ids are encoded in paths', async () => {
  const fleet = createFleetClient(respondingWith({ gpu: { health: 'missing' } }));
  const { gpu } = await fleet.get('/api/v1/gpus/{id}', {
    params: { path: { id: 'host|00000000:3B:00.0|a/b' } },
  });
  const health: 'healthy' | 'degraded' | 'critical' | 'missing' = gpu.health;
  expect(health).toBe('missing');
  expect(sent).toEqual(['GET https://service.invalid/api/v1/gpus/host%7C00000000%3A3B%3A00.0%7Ca%2Fb']);
});

test('paths, parameters and bodies that are not in the document are type errors', async () => {
  const fleet = createFleetClient(respondingWith({}));
  // @ts-expect-error: the id is missing
  await fleet.get('/api/v1/gpus/{id}');
  // @ts-expect-error: there is no such path
  await fleet.get('/api/v1/gpu');
  // @ts-expect-error: there is no such severity in a list
  await fleet.get('/api/v1/alerts', { params: { query: { 'filter[severity][in]': ['high', 'urgent'] } } });
  // @ts-expect-error: there is no such severity
  await fleet.get('/api/v1/alerts', { params: { query: { 'filter[severity][equals]': 'urgent' } } });
  const account = createAccountClient(respondingWith({ api_key: { key: 'secret' } }));
  // @ts-expect-error: the body is missing
  await account.post('/api/v1/keys');
  const { api_key } = await account.post('/api/v1/keys', { body: { name: 'rack 12', workspace_id: 1 } });
  const key: string = api_key.key;
  expect(key).toBe('secret');
  const website = createWebsiteClient(respondingWith({ post: { body: '# Post' } }));
  const { post } = await website.get('/api/posts/{slug}', { params: { path: { slug: 'a' } } });
  const body: string = post.body;
  expect(body).toBe('# Post');
  expect(sent).toHaveLength(7);
});

test('everyAlert requests a page only when it is needed', async () => {
  const pages = [
    { alerts: [{ id: 'a' }, { id: 'b' }], next_page_token: 'two', total_size: 3 },
    { alerts: [{ id: 'c' }], total_size: null },
  ];
  const fleet = createFleetClient({
    baseUrl: 'https://service.invalid/',
    fetch: (request) => {
      sent.push(new URL(request.url).search);
      return Promise.resolve(Response.json(pages[sent.length - 1]));
    },
  });
  const ids: string[] = [];
  for await (const alert of everyAlert(fleet, { sort: 'severity', page_size: 2 })) {
    ids.push(alert.id);
    if (ids.length === 2) expect(sent).toEqual(['?sort=severity&page_size=2']);
  }
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(sent).toEqual(['?sort=severity&page_size=2', '?sort=severity&page_size=2&page_token=two']);
});

test('lists of enumerated values are sent with commas, and paths may end with a slash', async () => {
  const fleet = createFleetClient(respondingWith({ alerts: [], total_size: 0 }));
  const { total_size } = await fleet.get('/api/v1/alerts/', {
    params: { query: { 'filter[severity][in]': ['critical', 'high'], 'filter[type][notIn]': ['gpu_ecc'] } },
  });
  expect(total_size).toBe(0);
  expect(sent).toEqual([
    'GET https://service.invalid/api/v1/alerts/?filter[severity][in]=critical,high&filter[type][notIn]=gpu_ecc',
  ]);
});

test('in cookie mode the code exchange returns no body', async () => {
  const baseUrl = 'https://service.invalid';
  const session = cookieSession({
    accountUrl: baseUrl,
    fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  });
  const body = { code: 'c', redirect_uri: 'https://app.invalid' };
  const result: undefined = await createAccountClient({ baseUrl, session }).post('/api/v1/auth/token', {
    body,
  });
  expect(result).toBeUndefined();
  const account = createAccountClient(respondingWith({ access_token: 'a' }));
  const { access_token } = await account.post('/api/v1/auth/token', { body });
  expect(access_token).toBe('a');
});
