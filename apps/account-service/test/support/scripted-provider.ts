import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one endpoint answers: a body (JSON unless it is a text), or something else to do with the answer. */
export type Script = object | string | null | ((response: ServerResponse) => void);

/** GitHub's and Google's back-channel endpoints saying whatever a test wants, which a well-behaved provider cannot. */
export interface ScriptedProvider {
  url: string;
  answers: { token: Script; user: Script; emails: Script; userinfo: Script };
  stop(): Promise<void>;
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const answers: ScriptedProvider['answers'] = { token: {}, user: {}, emails: [], userinfo: {} };
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://provider').pathname.slice(1) as keyof typeof answers;
    const script = answers[name];
    if (typeof script === 'function') return script(response);
    response.setHeader('content-type', 'application/json');
    response.end(typeof script === 'string' ? script : JSON.stringify(script));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
