import { createTransport, type Transporter } from 'nodemailer';
import type { QueuedRequest } from './outbox.queries.ts';

/** Well below the outbox's lease. */
const SEND_WITHIN_MS = 30_000;

/** Mails a contact request to the people who answer it. */
export class ContactMailer {
  private readonly transport: Transporter;

  constructor(
    smtpUrl: string,
    private readonly addresses: { sender: string; recipient: string },
  ) {
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 15_000,
      // A message is text here: nothing in it may make the mailer fetch a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** @throws {Error} when the server did not take it */
  async send(request: QueuedRequest): Promise<void> {
    const { sender, recipient } = this.addresses;
    const host = sender.split('@').at(-1) ?? 'localhost';
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the mail server took too long')), SEND_WITHIN_MS);
    });
    const sent = this.transport.sendMail({
      from: sender,
      to: recipient,
      replyTo: { name: request.first_name, address: request.email },
      subject: `Contact request from ${request.first_name}${request.company === '' ? '' : ` (${request.company})`}`,
      messageId: `<contact-${request.id}@${host}>`,
      date: request.received_at,
      text: textOf(request),
    });
    try {
      await Promise.race([sent, late]);
    } finally {
      clearTimeout(timer);
      sent.catch(() => undefined);
    }
  }

  close(): void {
    this.transport.close();
  }
}

function textOf(request: QueuedRequest): string {
  return `From: ${request.first_name} <${request.email}>
Company: ${request.company || '-'}
Received: ${request.received_at.toISOString()} by ${request.came_by}
Request: ${request.id}

${request.message}
`;
}
