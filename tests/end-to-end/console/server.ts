import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@gpu-observatory/local-stack';
import type { SharedStack } from '../shared-stack.ts';

export function describeServer(shared: SharedStack): void {
  const get = (path: string) => fetch(`${shared.sandbox.stack().console_url}${path}`);

  describe('its server', () => {
    it.each([
      '/',
      '/alerts',
      '/alerts/some-id',
      '/hosts',
      '/hosts/node-1',
      '/gpus/GPU-1%7C2',
      '/xids',
      '/usage',
      '/metrics',
      '/keys',
      '/auth/callback?code=1',
    ])('sends the page for %s with a strict policy', async (path) => {
      const response = await get(path);
      expect([response.status, await response.text()]).toEqual([
        200,
        readFileSync(join(root, 'apps/console/dist/index.html'), 'utf8'),
      ]);
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/html;charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      const { account_url, fleet_url } = shared.sandbox.stack();
      const policy = headers['content-security-policy'];
      expect(policy).toContain(`script-src 'self'; style-src 'self';`);
      expect(policy).toContain(`connect-src 'self' ${fleet_url} ${account_url};`);
      expect(policy).not.toContain('unsafe');
    });

    it('lets browsers cache files whose name contains a hash', async () => {
      const files = readdirSync(join(root, 'apps/console/dist/assets'));
      const types = { js: 'text/javascript', css: 'text/css' };
      for (const [extension, type] of Object.entries(types)) {
        const response = await get(`/assets/${files.find((file) => file.endsWith(`.${extension}`))}`);
        expect(response.headers.get('content-type')).toBe(type);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('content-encoding')).toBe('gzip');
      }
    });

    it.each([
      '/unknown',
      '/assets/unknown.js',
      '/alerts/a/b',
      '/assets/..%2f..%2fpackage.json',
      '/package.json',
    ])('has no %s', async (path) => {
      expect((await get(path)).status).toBe(404);
    });
  });
}
