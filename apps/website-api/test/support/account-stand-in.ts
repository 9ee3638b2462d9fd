import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ServiceContract } from '@gpu-observatory/contracts';

export const CREDENTIAL = 'a-credential-of-the-tests-0123456789';
export const KEYS = {
  contact: 'a0000000-0000-4000-8000-000000000001',
  telemetry: 'a0000000-0000-4000-8000-000000000002',
  broken: 'a0000000-0000-4000-8000-000000000003',
  slow: 'a0000000-0000-4000-8000-000000000004',
};

export interface AccountStandIn {
  url: string;
  asked: string[];
  stop(): Promise<void>;
}

/**
 * Answers `POST /internal/v1/keys/introspect` as account-service does, whose tests hold it to the same contract; a
 * request that is not as agreed gets a failure. The real one is another app, which this one meets over HTTP only.
 */
export async function startAccountStandIn(): Promise<AccountStandIn> {
  const contract = new ServiceContract('introspection');
  const asked: string[] = [];
  const known = new Map([
    [KEYS.contact, 'a key with the scope contact:write'],
    [KEYS.telemetry, 'a key without additional scopes'],
  ]);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { key } = JSON.parse(body) as { key: string };
      asked.push(key);
      const isAgreed = contract.requestViolations({ ...headOf(request), body }).length === 0;
      if (!isAgreed || request.headers.authorization !== `Bearer ${CREDENTIAL}` || key === KEYS.broken) {
        response.statusCode = 500;
        response.end('{}');
      } else if (key !== KEYS.slow) {
        const answer = contract.stubResponse(known.get(key) ?? 'a missing or invalid key');
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function headOf({ method, url, headers }: IncomingMessage) {
  return { method, url, headers };
}
