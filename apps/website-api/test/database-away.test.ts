import { freePort } from '@gpu-observatory/embedded-database';
import { send } from './support/http.ts';
import { startWebsite } from './support/website.ts';

describe('while the database is away', () => {
  it('goes on to tell what the site is, and says on the management port that it is not ready', async () => {
    const website = await startWebsite(`postgres://website_api:x@127.0.0.1:${await freePort()}/website`);
    try {
      expect((await send(website.publicUrl, '/api/site')).status).toBe(200);
      expect((await send(website.publicUrl, '/')).status).toBe(200);
      expect((await send(website.managementUrl, '/livez')).status).toBe(200);
      const ready = await send(website.managementUrl, '/readyz');
      expect(ready.status).toBe(503);
      expect(JSON.parse(ready.text)).toEqual({
        ready: false,
        checks: { lifecycle: 'ok', database: 'the database does not answer' },
      });
    } finally {
      await website.close();
    }
  });
});
