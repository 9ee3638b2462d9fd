import { setTimeout as sleep } from 'node:timers/promises';
import { Edge } from '../edge.ts';
import { serviceNames } from '../services.ts';
import { describeOutcomes, SteadyLoad } from '../steady-load.ts';
import { type Check, must } from './check.ts';
import { askForAlerts, bearer } from './fleet.ts';

const REVOKED_WITHIN_MS = 2_000;
const STOPS_WITHIN_MS = 15_000;
const CODE_EXCHANGES_A_MINUTE = 60;

/** What is public on each hostname and says nothing of its own state. */
const PUBLIC_PATHS = {
  'fleet-api': '/openapi.json',
  'account-service': '/api/v1/auth/methods',
  'website-api': '/api/site',
};

export const bothAnswer: Check = {
  claim: 'each hostname answers over TLS, from both processes of its service',
  run: async ({ edge }) => {
    const seen: string[] = [];
    for (const service of serviceNames) {
      const servers = new Set<string>();
      for (let asked = 0; asked < 20; asked += 1) {
        const answer = await edge.request(service, PUBLIC_PATHS[service]);
        await answer.text();
        must(answer.status === 200, `${service} answered ${answer.status}`);
        servers.add(Edge.servedBy(answer));
      }
      must(servers.size === 2, `only ${[...servers].join(', ')} answered`);
      seen.push(...servers);
    }
    return seen.sort().join(', ');
  },
};

export const signOutReachesAll: Check = {
  claim: `a sign-out at one process is heard by all of them within ${REVOKED_WITHIN_MS / 1000} s`,
  run: async ({ edge, replicas }) => {
    const tokens = await edge.signIn('ada@acme.example');
    const bearers = replicas.filter(({ service }) => service !== 'website-api');
    const status = async (port: number, path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: bearer(tokens) })).status;
    const pathOf = (service: string) =>
      service === 'fleet-api' ? '/api/v1/alerts/?page_size=1' : '/api/v1/me';
    for (const { name, port, service } of bearers)
      must((await status(port, pathOf(service))) === 200, `${name} did not take the token before`);
    const answer = await edge.request('account-service', '/api/v1/auth/logout', {
      method: 'POST',
      headers: bearer(tokens),
    });
    must(answer.status === 204, `the sign-out was answered with ${answer.status}`);
    const begin = performance.now();
    const heard = await Promise.all(
      bearers.map(async ({ name, port, service }) => {
        while ((await status(port, pathOf(service))) !== 401) {
          must(performance.now() - begin < REVOKED_WITHIN_MS, `${name} still takes the token`);
          await sleep(20);
        }
        return performance.now() - begin;
      }),
    );
    return `${bearers.length} processes, the last after ${Math.round(Math.max(...heard))} ms`;
  },
};

export const limitsAreShared: Check = {
  claim: 'a rate limit counts over all processes',
  run: async ({ edge }) => {
    const servers = new Set<string>();
    for (let asked = 1; asked <= CODE_EXCHANGES_A_MINUTE + 5; asked += 1) {
      const answer = await edge.request('account-service', '/api/v1/auth/token', {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ code: 'none', redirect_uri: 'none' }),
      });
      await answer.text();
      servers.add(Edge.servedBy(answer));
      if (answer.status !== 429) continue;
      must(servers.size === 2, `only ${[...servers].join(', ')} was asked`);
      const wait = answer.headers.get('retry-after');
      must(wait !== null, 'a 429 came without Retry-After');
      return `429 at the ${asked}th code exchange in a minute over ${servers.size} processes`;
    }
    throw new Error(`no 429 in ${CODE_EXCHANGES_A_MINUTE + 5} code exchanges`);
  },
};

export const rollingRestart: Check = {
  claim: `every process may be restarted in turn under load: no request fails, and each ends with 0 within ${STOPS_WITHIN_MS / 1000} s`,
  run: async (context) => {
    const { edge, replicas } = context;
    const ask = async (service: 'account-service' | 'website-api', path: string) => {
      const answer = await edge.request(service, path, { headers: bearer(context.tokens) });
      await answer.text();
      return answer.ok ? '2xx' : String(answer.status);
    };
    const load = [
      new SteadyLoad(3, () => askForAlerts(context)),
      new SteadyLoad(2, () => ask('account-service', '/api/v1/me')),
      new SteadyLoad(2, () => ask('website-api', '/api/site')),
    ];
    const stops: number[] = [];
    try {
      for (const replica of replicas) {
        const { code, milliseconds } = await replica.stop();
        must(code === 0, `${replica.name} ended with ${code}`);
        must(milliseconds <= STOPS_WITHIN_MS, `${replica.name} took ${Math.round(milliseconds)} ms to end`);
        stops.push(milliseconds);
        await replica.start();
        await sleep(1_000); // Until the load balancer has seen it.
      }
    } finally {
      await Promise.all(load.map((clients) => clients.stop()));
    }
    const failures = load.flatMap((clients) => clients.failures);
    must(failures.length === 0, describeOutcomes(failures));
    const requests = load.flatMap(({ samples }) => samples).length;
    return `${replicas.length} restarts, ${requests} requests, 0 failed; the slowest ended in ${Math.round(Math.max(...stops))} ms`;
  },
};
