import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailSink {
  url: string;
  /** What was taken, in order, as it came over the wire. */
  mails: string[];
  /** How many were taken under each Message-ID: a mailbox shows one of each. */
  byMessageId(): Map<string, number>;
  stop(): Promise<void>;
}

/** A real SMTP server that keeps what it takes. @param taking how it decides: it may refuse or be slow */
export async function startMailSink({
  port = 0,
  taking = () => Promise.resolve(),
}: { port?: number; taking?: () => Promise<void> } = {}): Promise<MailSink> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        taking().then(
          () => {
            mails.push(Buffer.concat(parts).toString('utf8'));
            done();
          },
          (failure: Error) => done(failure),
        );
      });
    },
  });
  server.on('error', () => undefined); // A client that is killed breaks its connection.
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
