import { freePort } from '@gpu-observatory/embedded-database';
import { type TestDatabase } from '@gpu-observatory/testing';
import pg from 'pg';
import { websiteApi } from '../../src/website-api.ts';
import { send } from '../support/http.ts';
import { startMailSink } from '../support/mail-sink.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl, startWebsite } from '../support/website.ts';
import { startWebsiteProcess } from '../support/website-process.ts';

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  owner = new pg.Client({ connectionString: ownerUrl(database) });
  await owner.connect();
});

beforeEach(() => owner.query('DELETE FROM website.contact_requests'));

afterAll(async () => {
  await owner.end();
  await database.drop();
});

async function submit(url: string, message: string): Promise<string | undefined> {
  const response = await send(url, '/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://site.example' },
    body: JSON.stringify({ firstName: 'Zoë', email: 'zoe@example.org', company: 'Öl & Co', message }),
  }).catch(() => undefined);
  return response?.status === 202 ? (JSON.parse(response.text) as { id: string }).id : undefined;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const undelivered = async () =>
  (
    await owner.query<{ count: string }>(
      'SELECT count(*) FROM website.contact_requests WHERE delivered_at IS NULL',
    )
  ).rows[0]?.count;

/** Ends leases and backoff delays, so that the next poll sends all undelivered requests. */
const makeDue = () =>
  owner.query('UPDATE website.contact_requests SET next_attempt_at = now() WHERE delivered_at IS NULL');

describe('contact outbox', () => {
  it('mails a request once to the recipient with the sender in Reply-To', async () => {
    const sink = await startMailSink();
    const website = await startWebsite(runtimeUrl(database), websiteApi, {
      SMTP_URL: sink.url,
      CONTACT_FROM: 'site@site.example',
    });
    try {
      const id = await submit(website.publicUrl, 'A line.\n.\nBcc: bcc@example.org');
      await until(() => sink.mails.length > 0);
      await until(async () => (await undelivered()) === '0');
      const [mail = ''] = sink.mails;
      expect(mail).toContain('From: site@site.example\r\n');
      expect(mail).toContain('To: hello@site.example\r\n');
      expect(mail).toMatch(/Reply-To: .*<zoe@example\.org>\r\n/);
      expect(mail).toContain(`Message-ID: <contact-${id}@site.example>\r\n`);
      expect(mail).not.toMatch(/^Bcc:[\s\S]*\r\n\r\n/m);
      expect(sink.mails).toHaveLength(1);
    } finally {
      await website.close();
      await sink.stop();
    }
  });

  it('records the error of a rejected mail and sends it again later', async () => {
    let isFull = true;
    const sink = await startMailSink({
      onMail: () => (isFull ? Promise.reject(new Error('mailbox full')) : Promise.resolve()),
    });
    const website = await startWebsite(runtimeUrl(database), websiteApi, { SMTP_URL: sink.url });
    try {
      await submit(website.publicUrl, 'First.');
      const state = async () =>
        (
          await owner.query(
            'SELECT attempts, last_error, next_attempt_at > now() AS waits FROM website.contact_requests',
          )
        ).rows[0] as { attempts: number; last_error: string | null; waits: boolean };
      await until(async () => (await state()).last_error !== null);
      expect(await state()).toEqual({
        attempts: 1,
        last_error: expect.stringContaining('mailbox full'),
        waits: true,
      });
      isFull = false;
      await makeDue();
      await submit(website.publicUrl, 'Second.');
      await until(() => sink.mails.length === 2);
      await until(async () => (await undelivered()) === '0');
    } finally {
      await website.close();
      await sink.stop();
    }
  });

  it('loses no request when the service is killed, and repeats mails only with the same Message-ID', async () => {
    const sink = await startMailSink({ onMail: () => new Promise((resolve) => setTimeout(resolve, 15)) });
    const environment = { DATABASE_URL: runtimeUrl(database), SMTP_URL: sink.url, RATE_LIMITS: 'false' };
    const accepted: string[] = [];
    const kills = process.env['NIGHTLY_SEED'] ? 5 : 1;
    try {
      for (let round = 0; round < kills; round += 1) {
        const website = await startWebsiteProcess(environment);
        await makeDue();
        const before = accepted.length;
        let submitting: Promise<unknown> = Promise.resolve();
        // Kill the service while some requests are accepted, others are pending and mails are in progress.
        await new Promise<void>((enough) => {
          submitting = Promise.all(
            Array.from({ length: 12 }, async (_, index) => {
              const id = await submit(website.url, `Round ${round}, request ${index}.`);
              if (id) accepted.push(id);
              if (accepted.length >= before + 3 * (round + 1)) enough();
            }),
          );
          void submitting.then(() => enough());
        });
        await website.kill('SIGKILL');
        await submitting;
      }
      const last = await startWebsiteProcess(environment);
      await makeDue();
      await submit(last.url, 'The last one.').then((id) => id && accepted.push(id));
      await until(async () => (await undelivered()) === '0');
      expect(await last.kill('SIGTERM')).toBe(0);
      expect(accepted.length).toBeGreaterThan(kills);
      const counts = sink.byMessageId();
      for (const id of accepted) expect(counts.has(`contact-${id}@site.example`)).toBe(true);
      // Each kill repeats at most the one mail that was in progress.
      const repeated = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
      expect(repeated).toBeLessThanOrEqual(kills);
    } finally {
      await sink.stop();
    }
  });

  it('mails each request once with two replicas', async () => {
    const sink = await startMailSink({ onMail: () => new Promise((resolve) => setTimeout(resolve, 10)) });
    const start = () =>
      startWebsite(runtimeUrl(database), websiteApi, { SMTP_URL: sink.url, RATE_LIMITS: 'false' });
    const replicas = [await start(), await start()];
    try {
      const ids = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          submit(replicas[index % 2]?.publicUrl ?? '', `Request ${index}.`),
        ),
      );
      await until(async () => (await undelivered()) === '0');
      expect(new Set(ids).size).toBe(30);
      expect([...sink.byMessageId().values()]).toEqual(Array(30).fill(1));
    } finally {
      for (const replica of replicas) await replica.close();
      await sink.stop();
    }
  });

  it('does not block shutdown when the mail server hangs', async () => {
    const sink = await startMailSink({ onMail: () => new Promise(() => undefined) });
    try {
      const website = await startWebsiteProcess({ DATABASE_URL: runtimeUrl(database), SMTP_URL: sink.url });
      await submit(website.url, 'Hangs.');
      const startedAt = performance.now();
      expect(await website.kill('SIGTERM')).toBe(0);
      // The outbox waits 4 s; Kubernetes kills the service after 30 s.
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    } finally {
      await sink.stop();
    }
  });

  it('retries until the mail server is reachable', async () => {
    const port = await freePort();
    const website = await startWebsite(runtimeUrl(database), websiteApi, {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    });
    const id = await submit(website.publicUrl, 'Early.');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const sink = await startMailSink({ port });
    try {
      await until(async () => {
        await makeDue();
        await submit(website.publicUrl, 'Another.');
        return [...sink.byMessageId().keys()].includes(`contact-${id}@site.example`);
      });
    } finally {
      await website.close();
      await sink.stop();
    }
  });
});
