import { connect, type Socket } from 'node:net';

interface RawResponse {
  /** 0 when the connection was closed without a response. */
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Time until the response was complete or the connection was closed. */
  milliseconds: number;
}

/**
 * Sends bytes that no HTTP client would send, and reads one response.
 *
 * @param parts sent with a pause of `pauseMs` in between; the connection then stays open
 */
export function rawRequest(port: number, parts: string[], pauseMs = 0): Promise<RawResponse> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let text = '';
    let sending = true;
    const finish = () => {
      sending = false;
      socket.destroy();
      resolve({ ...parse(text), milliseconds: performance.now() - begun });
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (isComplete(text)) finish();
    });
    socket.on('error', () => undefined).on('close', finish);
    const send = async () => {
      for (const part of parts) {
        if (!sending) return;
        socket.write(part, 'latin1');
        await new Promise((proceed) => setTimeout(proceed, pauseMs));
      }
    };
    socket.on('connect', () => void send());
  });
}

function parse(text: string): Omit<RawResponse, 'milliseconds'> {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  ) as Record<string, string>;
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') };
}

function isComplete(text: string): boolean {
  if (!text.includes('\r\n\r\n')) return false;
  const { headers, body } = parse(text);
  return headers['content-length'] !== undefined && body.length >= Number(headers['content-length']);
}
