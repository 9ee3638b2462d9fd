import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends exactly this path and these headers; fetch would normalize the path and add headers. */
export async function sendRaw(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const outgoing = request({ hostname, port, path, method, headers, agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}
