import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Response of an endpoint: a body (JSON unless it is a string), or a custom handler. */
type Script = object | string | null | ((response: ServerResponse) => void);

/** Back-channel endpoints of GitHub and Google with arbitrary, even malformed, responses. */
export interface ScriptedProvider {
  url: string;
  responses: { token: Script; user: Script; emails: Script; userinfo: Script };
  stop(): Promise<void>;
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const responses: ScriptedProvider['responses'] = { token: {}, user: {}, emails: [], userinfo: {} };
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://provider').pathname.slice(1) as keyof typeof responses;
    const script = responses[name];
    if (typeof script === 'function') return script(response);
    response.setHeader('content-type', 'application/json');
    response.end(typeof script === 'string' ? script : JSON.stringify(script));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responses,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
