import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@gpu-observatory/embedded-database';
import { openDataDirectory } from '../src/data-directory.ts';
import { ensureCertificate } from '../src/https/certificate.ts';
import { selfSignedCertificate } from '../src/https/self-signed-certificate.ts';
import { startTlsProxy } from '../src/https/tls-proxy.ts';

describe('the certificate of --https', () => {
  it('is valid for localhost and its addresses for a year, and signs no other certificate', () => {
    const { certificate } = selfSignedCertificate();
    const parsed = new X509Certificate(certificate);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect([parsed.checkHost('localhost'), parsed.checkIP('127.0.0.1'), parsed.checkIP('::1')]).toEqual([
      'localhost',
      '127.0.0.1',
      '::1',
    ]);
    expect(parsed.checkHost('localhost.example')).toBeUndefined();
    expect(parsed.ca).toBe(false);
    const days = (parsed.validToDate.getTime() - parsed.validFromDate.getTime()) / 86_400_000;
    expect(days).toBe(397);
  });

  it('can be parsed whatever the length of its base64 is', () => {
    // The length of the signature varies.
    for (let count = 0; count < 50; count += 1) new X509Certificate(selfSignedCertificate().certificate);
  });

  it('stays the same until it is about to expire, readable by its owner only', () => {
    const path = mkdtempSync(join(tmpdir(), 'gpu-observatory-https-'));
    try {
      const directory = openDataDirectory(path);
      const first = ensureCertificate(directory);
      expect(ensureCertificate(directory)).toEqual(first);
      for (const file of [directory.certificateFile, directory.certificateKeyFile])
        expect(statSync(file).mode & 0o777).toBe(0o600);
      jest.useFakeTimers({ now: Date.now() + 370 * 86_400_000 });
      expect(ensureCertificate(directory)).not.toEqual(first);
    } finally {
      jest.useRealTimers();
      rmSync(path, { recursive: true });
    }
  });
});

describe('the TLS proxy of --https', () => {
  const { key, certificate } = selfSignedCertificate();
  const target = createServer((incoming, response) => {
    if (incoming.url === '/broken') {
      response.write('part');
      setImmediate(() => response.destroy());
      return;
    }
    void text(incoming).then((body) => {
      response.setHeader('set-cookie', ['a=1; Secure', 'b=2; Secure']);
      response.statusCode = 201;
      response.end(
        JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }),
      );
    });
  });
  let port: number;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    await once(target.listen(0, '127.0.0.1'), 'listening');
    port = await freePort();
    stop = await startTlsProxy(port, (target.address() as AddressInfo).port, { key, cert: certificate });
  });
  afterAll(async () => {
    await stop();
    target.close();
    target.closeAllConnections();
  });

  const send = async (path: string, ca: string[]) => {
    const sent = request({ host: 'localhost', port, path, method: 'POST', ca, headers: { 'x-mine': 'yes' } });
    sent.end('the body');
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    return { response, body: await text(response) };
  };

  it('forwards requests and responses to a client that trusts the certificate', async () => {
    const { response, body } = await send('/path?query=1', [certificate]);
    expect(response.statusCode).toBe(201);
    expect(response.headers['set-cookie']).toEqual(['a=1; Secure', 'b=2; Secure']);
    expect(JSON.parse(body)).toMatchObject({
      method: 'POST',
      url: '/path?query=1',
      headers: { 'x-mine': 'yes', host: `localhost:${port}` },
      body: 'the body',
    });
  });

  it('is rejected by a client that does not trust the certificate', async () => {
    await expect(send('/', [])).rejects.toThrow(/self-signed certificate/);
  });

  it('interrupts a response that the service interrupts', async () => {
    await expect(send('/broken', [certificate])).rejects.toThrow('aborted');
  });

  it('closes the connection while the service does not respond', async () => {
    const proxyPort = await freePort();
    const end = await startTlsProxy(proxyPort, await freePort(), { key, cert: certificate });
    try {
      const sent = request({ host: 'localhost', port: proxyPort, ca: [certificate] }).end();
      await expect(once(sent, 'response')).rejects.toThrow('socket hang up');
    } finally {
      await end();
    }
  });
});
