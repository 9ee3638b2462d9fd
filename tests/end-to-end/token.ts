import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { StackProgram } from './support/stack-program.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';

export function describeToken(shared: SharedStack): void {
  describe('npm run token', () => {
    it('prints a token for each provider, which both services accept', async () => {
      const { account_url, fleet_url } = shared.sandbox.stack();
      for (const provider of ['github', 'google']) {
        const bearer = await tokenOf(shared, 'alan@acme.example', '--provider', provider);
        expect(bearer).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
        expect(await getJson(`${account_url}/api/v1/me`, bearer)).toMatchObject({
          status: 200,
          body: { user: { email: 'alan@acme.example', name: 'Alan Turing' } },
        });
        expect((await getJson(`${fleet_url}/api/v1/gpus`, bearer)).status).toBe(200);
      }
    });

    it.each([
      ['ivan@initech.example', /ivan@initech\.example.*: domain_not_allowed/],
      ['eve@acme.example', /no account eve@acme\.example: use one of ada@/],
    ])('reports why %s gets no token', async (email, message) => {
      const program = new StackProgram('token', [
        '--email',
        email,
        '--data-directory',
        shared.sandbox.dataDirectory,
      ]);
      expect(await program.ended).toBe(1);
      expect(program.output).toBe('');
      expect(program.errors).toMatch(message);
    });

    it.each([3000, 5173, 4173])('allows sign-in for a frontend at port %i', async (port) => {
      const { account_url } = shared.sandbox.stack();
      const start = `${account_url}/api/v1/auth/google?frontend_url=${encodeURIComponent(`http://localhost:${port}`)}`;
      const callback = await signInWithoutBrowser(start, 'ada@acme.example');
      expect(callback.href).toMatch(new RegExp(`^http://localhost:${port}/auth/callback\\?code=[\\w-]+$`));
    });
  });
}
