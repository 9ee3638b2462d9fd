import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { FRONTEND_URL, type RunningAccountService, startAccountService } from './account-service.ts';
import type { Cost } from '../costs.ts';
import { Load } from './load.ts';
import { measureTokenChecks } from '../token-check.ts';

const CACHED_CHECKS = 50_000;

interface Session {
  access_token: string;
  refresh_token: string;
}

/**
 * Measures code exchange, refresh, `/me` and key introspection, and token verification by itself, uncached and cached.
 *
 * @param seconds per operation
 * @param signIns number of codes to exchange
 */
export async function benchmarkAccount(seconds: number, signIns: number): Promise<Cost[]> {
  const service = await startAccountService();
  const load = new Load(service.managementUrl);
  try {
    return await measure(service, load, seconds, signIns);
  } finally {
    await load.stop();
    await service.stop();
  }
}

async function measure(
  service: RunningAccountService,
  load: Load,
  seconds: number,
  signIns: number,
): Promise<Cost[]> {
  const api = `${service.url}/api/v1`;
  const start = new URL(`${api}/auth/github`);
  start.searchParams.set('frontend_url', FRONTEND_URL);
  const codes: string[] = [];
  // Codes expire after 60 s, so sign-ins and exchanges have 30 s each.
  const signedIn = await load.measure('sign-in up to the code', 30, (index) => {
    if (index >= signIns) return false;
    return signInWithoutBrowser(start, 'ada@acme.example').then((callback) => {
      codes.push(callback.searchParams.get('code') as string);
    });
  });

  const sessions: Session[] = [];
  const exchanged = await load.measure('code exchange', 30, (index) => {
    const code = codes[index];
    if (code === undefined) return false;
    const body = { code, redirect_uri: FRONTEND_URL };
    return load.send(`${api}/auth/token`, 'POST', {}, body).then((session) => {
      sessions.push(JSON.parse(session) as Session);
    });
  });

  const tokens: string[] = [];
  const refreshed = await load.measure('refresh', seconds, (index) => {
    const { refresh_token } = sessions[index % sessions.length] as Session;
    return load.send(`${api}/auth/refresh`, 'POST', {}, { refresh_token }).then((body) => {
      tokens.push((JSON.parse(body) as Session).access_token);
    });
  });

  const me = (token: string) =>
    load.send(`${api}/me`, 'GET', { authorization: `Bearer ${token}` }).then(() => undefined);
  const uncached = await load.measure('/me, token uncached', seconds, (index) => {
    const token = tokens[index];
    return token === undefined ? false : me(token);
  });
  const [token = ''] = tokens;
  const cached = await load.measure('/me, token cached', seconds, () => me(token));

  const created = await load.send(
    `${api}/keys`,
    'POST',
    { authorization: `Bearer ${token}` },
    { name: 'bench', workspace_id: 1 },
  );
  const { key } = (JSON.parse(created) as { api_key: { key: string } }).api_key;
  const authorization = `Bearer ${service.internalCredential}`;
  const introspected = await load.measure('key introspection', seconds, () =>
    load
      .send(`${service.internalUrl}/internal/v1/keys/introspect`, 'POST', { authorization }, { key })
      .then(() => undefined),
  );
  const tokenChecks = await measureTokenChecks(tokens, service.url, CACHED_CHECKS);
  return [signedIn, exchanged, refreshed, uncached, cached, introspected, ...tokenChecks];
}
