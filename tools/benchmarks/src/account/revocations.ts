import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { httpRevocationSource, RevocationFeed } from '@gpu-observatory/token-verification';
import pg from 'pg';
import { FRONTEND_URL, startAccountService } from './account-service.ts';
import { Load } from './load.ts';

const SIGN_OUTS = 20;

/**
 * Measures the revocation feed with many entries: how long two verifiers take to read it, and how long a sign-out takes
 * to reach both of them while they read it in full again and again and the service refreshes tokens.
 */
export async function benchmarkRevocations(entries: number): Promise<string> {
  const service = await startAccountService();
  const load = new Load(service.managementUrl);
  const database = new pg.Client({ connectionString: service.ownerDatabaseUrl });
  const feeds: RevocationFeed[] = [];
  try {
    await database.connect();
    await database.query(
      `INSERT INTO account.revocations (kind, subject_id, not_before, recorded_at)
       SELECT 'session', gen_random_uuid(), at, at
         FROM (SELECT clock_timestamp() - random() * interval '6 hours' AS at FROM generate_series(1, $1::integer)) AS ends`,
      [entries],
    );
    await database.query('ANALYZE account.revocations');
    // Advancing the clock by a day makes a full read due at each poll.
    let advanceMs = 0;
    const errors: unknown[] = [];
    const memoryBefore = process.memoryUsage();
    const started = performance.now();
    for (let count = 0; count < 2; count += 1) {
      feeds.push(
        new RevocationFeed(httpRevocationSource(service.internalUrl, service.internalCredential), {
          onError: (error) => errors.push(error),
          now: () => performance.now() + advanceMs,
        }),
      );
    }
    await Promise.all(feeds.map((feed) => feed.start()));
    const loadSeconds = (performance.now() - started) / 1000;
    const { arrayBuffers } = process.memoryUsage();
    const megabytes = (arrayBuffers - memoryBefore.arrayBuffers) / feeds.length / 2 ** 20;

    const start = new URL(`${service.url}/api/v1/auth/github`);
    start.searchParams.set('frontend_url', FRONTEND_URL);
    const signIn = async () => {
      const callback = await signInWithoutBrowser(start, 'ada@acme.example');
      const body = { code: callback.searchParams.get('code'), redirect_uri: FRONTEND_URL };
      const tokens = await load.send(`${service.url}/api/v1/auth/token`, 'POST', {}, body);
      return JSON.parse(tokens) as { access_token: string; refresh_token: string };
    };
    const { refresh_token: refreshToken } = await signIn();
    let isDone = false;
    const refreshing = load.measure('refresh', 5 * (MINUTE_MS / 1000), () =>
      isDone
        ? false
        : load
            .send(`${service.url}/api/v1/auth/refresh`, 'POST', {}, { refresh_token: refreshToken })
            .then(() => undefined),
    );
    const milliseconds: number[] = [];
    for (let count = 0; count < SIGN_OUTS; count += 1) {
      advanceMs += DAY_MS;
      const tokens = await signIn();
      const { sid } = JSON.parse(
        Buffer.from(tokens.access_token.split('.')[1] as string, 'base64url').toString(),
      ) as { sid: string };
      const caller = { userId: 1, sessionId: sid, access: [], issuedAt: 0, expiresAt: 0, signingKeyId: '' };
      await fetch(`${service.url}/api/v1/auth/logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: tokens.refresh_token }),
      });
      const signedOut = performance.now();
      while (!feeds.every((feed) => feed.revocations.isRevoked(caller))) await sleep(5);
      milliseconds.push(performance.now() - signedOut);
    }
    isDone = true;
    const { perSecond } = await refreshing;
    milliseconds.sort((a, b) => a - b);
    return [
      `entries                                 ${feeds[0]?.revocations.size.toLocaleString('en')}`,
      `two verifiers read all of them in       ${loadSeconds.toFixed(1)} s`,
      `memory of one verifier                  ${megabytes.toFixed(0)} MB`,
      `${SIGN_OUTS} sign-outs reach both: median, longest  ${milliseconds[SIGN_OUTS / 2]?.toFixed(0)}, ${milliseconds.at(-1)?.toFixed(0)} ms`,
      `refreshes during the read               ${perSecond.toFixed(0)} per second`,
      `failed reads                            ${errors.length}`,
    ].join('\n');
  } finally {
    for (const feed of feeds) feed.stop();
    await load.stop();
    await database.end();
    await service.stop();
  }
}
