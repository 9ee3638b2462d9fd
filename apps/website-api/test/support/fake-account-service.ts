import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ServiceContract } from '@gpu-observatory/contracts';

export const CREDENTIAL = 'test-credential-0123456789-0123456789';
export const KEYS = {
  contact: 'a0000000-0000-4000-8000-000000000001',
  telemetry: 'a0000000-0000-4000-8000-000000000002',
  broken: 'a0000000-0000-4000-8000-000000000003',
  slow: 'a0000000-0000-4000-8000-000000000004',
};

export interface FakeAccountService {
  url: string;
  introspectedKeys: string[];
  stop(): Promise<void>;
}

/**
 * Starts a fake of the key introspection of account-service. The tests of account-service check the same contract. A
 * request that violates the contract gets 500.
 */
export async function startFakeAccountService(): Promise<FakeAccountService> {
  const contract = new ServiceContract('introspection');
  const introspectedKeys: string[] = [];
  const known = new Map([
    [KEYS.contact, 'a key with the scope contact:write'],
    [KEYS.telemetry, 'a key without additional scopes'],
  ]);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { key } = JSON.parse(body) as { key: string };
      introspectedKeys.push(key);
      const isValid = contract.requestViolations({ ...headOf(request), body }).length === 0;
      if (!isValid || request.headers.authorization !== `Bearer ${CREDENTIAL}` || key === KEYS.broken) {
        response.statusCode = 500;
        response.end('{}');
      } else if (key !== KEYS.slow) {
        const stub = contract.stubResponse(known.get(key) ?? 'a missing or invalid key');
        response.writeHead(stub.status, { 'content-type': 'application/json' }).end(stub.body);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    introspectedKeys,
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
