import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
 * Answers `POST /internal/v1/keys/introspect` as account-service does (decisions, section 3, Key check). The real one
 * is another app, which this one meets over HTTP only.
 */
export async function startAccountStandIn(): Promise<AccountStandIn> {
  const asked: string[] = [];
  const known = new Map([
    [
      KEYS.contact,
      {
        active: true,
        key_id: 7,
        workspace_id: 3,
        customer_id: 1,
        scopes: ['telemetry:write', 'contact:write'],
      },
    ],
    [
      KEYS.telemetry,
      { active: true, key_id: 8, workspace_id: 3, customer_id: 1, scopes: ['telemetry:write'] },
    ],
  ]);
  const inactive = { active: false, key_id: null, workspace_id: null, customer_id: null, scopes: [] };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { key } = JSON.parse(body) as { key: string };
      asked.push(key);
      const isMeant = request.url === '/internal/v1/keys/introspect' && request.method === 'POST';
      if (!isMeant || request.headers.authorization !== `Bearer ${CREDENTIAL}` || key === KEYS.broken) {
        response.statusCode = 500;
        response.end('{}');
      } else if (key !== KEYS.slow) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(known.get(key) ?? inactive));
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
