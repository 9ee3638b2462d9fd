import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { StackProgram } from '../support/stack-process.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SmallStack } from './small-stack.ts';

export function describeToken(small: SmallStack): void {
  describe('npm run token', () => {
    it('prints a token of each provider that both services accept', async () => {
      const { account_url, fleet_url } = small.place.stack();
      for (const provider of ['github', 'google']) {
        const bearer = await tokenOf(small, 'alan@acme.example', '--provider', provider);
        expect(bearer).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
        expect(await getJson(`${account_url}/api/v1/me`, bearer)).toMatchObject({
          status: 200,
          body: { user: { email: 'alan@acme.example', name: 'Alan Turing' } },
        });
        expect((await getJson(`${fleet_url}/api/v1/gpus`, bearer)).status).toBe(200);
      }
    });

    it('prints the whole session with --json', async () => {
      expect(JSON.parse(await tokenOf(small, 'vera@acme.example', '--json'))).toEqual({
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 21_600,
      });
    });

    it.each([
      ['ivan@initech.example', 'ivan@initech.example may not sign in: domain_not_allowed.\n'],
      ['nina@nowhere.example', 'nina@nowhere.example may not sign in: domain_not_allowed.\n'],
      ['eve@acme.example', /^The identity provider has no account eve@acme\.example: use one of ada@.*\n$/],
    ])('says why %s gets none', async (email, words) => {
      const program = new StackProgram('token', [
        '--email',
        email,
        '--data-directory',
        small.place.dataDirectory,
      ]);
      expect(await program.ended).toBe(1);
      expect(program.output).toBe('');
      expect(program.errors).toMatch(words);
    });

    it('says that nothing runs where nothing runs', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'empty-'));
      const program = new StackProgram('token', ['--email', 'ada@acme.example', '--data-directory', folder]);
      expect(await program.ended).toBe(1);
      expect(program.errors).toMatch(new RegExp(`^Nothing is ready in ${folder}: start it with "npm start"`));
    });

    it('signs in to a page that is developed at port 3000', async () => {
      const { account_url } = small.place.stack();
      const start = `${account_url}/api/v1/auth/google?frontend_url=${encodeURIComponent('http://localhost:3000')}`;
      const callback = await signInWithoutBrowser(start, 'ada@acme.example');
      expect(callback.href).toMatch(/^http:\/\/localhost:3000\/auth\/callback\?code=[\w-]+$/);
    });
  });
}
