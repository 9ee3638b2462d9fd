import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { WebsiteConfig } from '../config/website.config.ts';
import type { QueuedRequest } from './outbox.queries.ts';

/** Must be shorter than the lease of the outbox. */
const SEND_TIMEOUT_MS = 30_000;

/** Mails contact requests to the configured recipient, if there is an SMTP server. */
@Injectable()
export class ContactMailer {
  private readonly transport: Transporter | undefined;

  constructor(private readonly config: WebsiteConfig) {
    const { smtpUrl } = config.contact;
    if (smtpUrl === undefined) return;
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 15_000,
      // Prevents nodemailer from loading attachments from files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  get isEnabled(): boolean {
    return this.transport !== undefined;
  }

  /** @throws {Error} if the SMTP server does not accept the mail in time */
  async send(request: QueuedRequest): Promise<void> {
    const { transport } = this;
    if (!transport) throw new Error('SMTP_URL is not set');
    const { sender, recipient } = this.config.contact;
    const host = sender.split('@').at(-1) ?? 'localhost';
    const sent = transport.sendMail({
      from: sender,
      to: recipient,
      replyTo: { name: request.first_name, address: request.email },
      subject: `Contact request from ${request.first_name}${request.company === '' ? '' : ` (${request.company})`}`,
      messageId: `<contact-${request.id}@${host}>`,
      date: request.received_at,
      text: mailText(request),
    });
    const timeout = sleep(SEND_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`the SMTP server did not accept the mail within ${SEND_TIMEOUT_MS} ms`);
    });
    await Promise.race([sent, timeout]);
  }

  close(): void {
    this.transport?.close();
  }
}

function mailText(request: QueuedRequest): string {
  return `From: ${request.first_name} <${request.email}>
Company: ${request.company || '-'}
Received: ${request.received_at.toISOString()} from ${request.sender}
Request: ${request.id}

${request.message}
`;
}
