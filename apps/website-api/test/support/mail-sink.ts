import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailSink {
  url: string;
  /** Accepted mails in order, as raw text. */
  mails: string[];
  /** Number of accepted mails by Message-ID. */
  byMessageId(): Map<string, number>;
  stop(): Promise<void>;
}

/** Starts an SMTP server that stores mails. @param onMail may reject or delay a mail */
export async function startMailSink({
  port = 0,
  onMail = () => Promise.resolve(),
}: { port?: number; onMail?: () => Promise<void> } = {}): Promise<MailSink> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        onMail().then(
          () => {
            mails.push(Buffer.concat(parts).toString('utf8'));
            done();
          },
          (failure: Error) => done(failure),
        );
      });
    },
  });
  server.on('error', () => undefined); // Killed clients reset their connections.
  const listening = server.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    mails,
    byMessageId: () => {
      const counts = new Map<string, number>();
      for (const mail of mails) {
        const id = /^Message-ID: <(.+)>$/im.exec(mail)?.[1] ?? 'none';
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
