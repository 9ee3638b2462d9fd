// Reads large pages in a separate process until it is stopped: `page-reader.ts URL HEADERS`, headers as JSON. After a 429 it waits
// for `Retry-After`. Sends the status of every response to the parent process.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', headersJson = '{}'] = process.argv.slice(2);
const requestHeaders = JSON.parse(headersJson) as Record<string, string>;

for (;;) {
  const { status, retryAfterSeconds } = await read();
  process.send?.(status);
  await sleep(retryAfterSeconds * 1000);
}

function read(): Promise<{ status: number; retryAfterSeconds: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: requestHeaders }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response
        .on('end', () => resolve({ status, retryAfterSeconds: Number(headers['retry-after'] ?? 0) }))
        .on('error', reject)
        .resume();
    }).on('error', reject);
  });
}
