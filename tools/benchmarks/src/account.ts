import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { FRONTEND_URL, type MeasuredService, startAccountService } from './account-service.ts';
import type { Cost } from './costs.ts';
import { Load } from './load.ts';
import { measureTokenChecks } from './token-check.ts';

const REMEMBERED_CHECKS = 50_000;

interface Session {
  access_token: string;
  refresh_token: string;
}

/**
 * Code exchange, refresh, `/me` and key check, and the check of a token by itself, remembered and not.
 *
 * @param seconds for each operation
 * @param signIns how many codes there are to exchange
 */
export async function benchmarkAccount({
  seconds,
  signIns,
}: {
  seconds: number;
  signIns: number;
}): Promise<Cost[]> {
  const service = await startAccountService();
  const load = new Load(service.managementUrl);
  try {
    return await measure(service, load, seconds, signIns);
  } finally {
    load.stop();
    await service.stop();
  }
}

async function measure(
  service: MeasuredService,
  load: Load,
  seconds: number,
  signIns: number,
): Promise<Cost[]> {
  const api = `${service.url}/api/v1`;
  const start = new URL(`${api}/auth/github`);
  start.searchParams.set('frontend_url', FRONTEND_URL);
  const codes: string[] = [];
  // A code lives for 60 s: what has not been issued by then would be too late for its exchange.
  const signedIn = await load.measure('sign-in, from the start to the code', 30, (index) => {
    if (index >= signIns) return false;
    return signInWithoutBrowser(start, 'ada@acme.example').then((ended) => {
      codes.push(ended.searchParams.get('code') as string);
    });
  });

  const sessions: Session[] = [];
  const exchanged = await load.measure('code exchange', 30, (index) => {
    const code = codes[index];
    if (code === undefined) return false;
    const body = { code, redirect_uri: FRONTEND_URL };
    return load.send(`${api}/auth/token`, 'POST', {}, body).then((answer) => {
      sessions.push(JSON.parse(answer) as Session);
    });
  });

  const tokens: string[] = [];
  const refreshed = await load.measure('refresh', seconds, (index) => {
    const { refresh_token } = sessions[index % sessions.length] as Session;
    return load.send(`${api}/auth/refresh`, 'POST', {}, { refresh_token }).then((answer) => {
      tokens.push((JSON.parse(answer) as Session).access_token);
    });
  });

  const me = (token: string) =>
    load.send(`${api}/me`, 'GET', { authorization: `Bearer ${token}` }).then(() => undefined);
  const unknown = await load.measure('/me, each token for the first time', seconds, (index) => {
    const token = tokens[index];
    return token === undefined ? false : me(token);
  });
  const [token = ''] = tokens;
  const remembered = await load.measure('/me, the token remembered', seconds, () => me(token));

  const created = await load.send(
    `${api}/keys`,
    'POST',
    { authorization: `Bearer ${token}` },
    { name: 'bench', workspace_id: 1 },
  );
  const { key } = (JSON.parse(created) as { api_key: { key: string } }).api_key;
  const authorization = `Bearer ${service.internalCredential}`;
  const checked = await load.measure('key check', seconds, () =>
    load
      .send(`${service.internalUrl}/internal/v1/keys/introspect`, 'POST', { authorization }, { key })
      .then(() => undefined),
  );
  const tokenChecks = await measureTokenChecks(tokens, service.url, REMEMBERED_CHECKS);
  return [signedIn, exchanged, refreshed, unknown, remembered, checked, ...tokenChecks];
}
