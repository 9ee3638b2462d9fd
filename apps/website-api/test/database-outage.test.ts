import { freePort } from '@gpu-observatory/embedded-database';
import { send } from './support/http.ts';
import { post } from './support/content-folder.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from './support/website.ts';

describe('database outage', () => {
  it('serves the site identity and reports not ready on the management port', async () => {
    const website = await startWebsite(`postgres://website_api:x@127.0.0.1:${await freePort()}/website`);
    try {
      expect((await send(website.publicUrl, '/api/site')).status).toBe(200);
      expect((await send(website.publicUrl, '/')).status).toBe(200);
      expect((await send(website.managementUrl, '/livez')).status).toBe(200);
      const ready = await send(website.managementUrl, '/readyz');
      expect(ready.status).toBe(503);
      expect(JSON.parse(ready.text)).toEqual({
        ready: false,
        checks: {
          lifecycle: 'ok',
          database: 'the database is unavailable',
          database_writes: 'degraded (the database is unavailable)',
        },
      });
    } finally {
      await website.close();
    }
  });

  it('returns 503 with Retry-After for content that was never loaded, and for contact requests', async () => {
    const website = await startWebsite(`postgres://website_api:x@127.0.0.1:${await freePort()}/website`);
    try {
      for (const path of ['/api/posts', '/api/posts/one', '/api/categories', '/api/tags']) {
        const response = await send(website.publicUrl, path);
        expect([path, response.status, response.headers['retry-after']]).toEqual([path, 503, '1']);
        expect(JSON.parse(response.text)).toMatchObject({ title: 'Service Unavailable', status: 503 });
      }
      const contact = await send(website.publicUrl, '/api/contact', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://site.example' },
        body: JSON.stringify({ firstName: 'Ada', email: 'ada@example.org', message: 'A demo, please.' }),
      });
      expect([contact.status, contact.headers['retry-after']]).toEqual([503, '1']);
    } finally {
      await website.close();
    }
  });

  it('serves the last loaded content', async () => {
    const database = await createWebsiteDatabase();
    await publish(database, { 'one.md': post('One.') });
    const website = await startWebsite(runtimeUrl(database));
    try {
      const before = await send(website.publicUrl, '/api/posts');
      expect(before.status).toBe(200);
      await database.drop();
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect((await send(website.publicUrl, '/api/posts')).text).toBe(before.text);
    } finally {
      await website.close();
    }
  });
});
