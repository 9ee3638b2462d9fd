import { createHash, randomUUID } from 'node:crypto';
import { DomainError, websiteErrors } from '@gpu-observatory/error-envelopes';
import type { Database } from '@gpu-observatory/service-runtime';
import type { ContactReceipt, ContactRequest } from './contact.models.ts';
import { findByIdempotencyKey, forgetOldIdempotencyKey, insertContactRequest } from './contact.queries.ts';
import type { Sender } from './contact-access.ts';
import type { ContactOutbox } from './contact-outbox.ts';

const MESSAGE = 'Thank you. Your request has arrived, and a person will answer it.';
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Takes contact requests: stored first, answered then, mailed after that. */
export class ContactService {
  constructor(
    private readonly database: Database,
    private readonly outbox: ContactOutbox,
  ) {}

  /**
   * @param idempotencyKey the header of that name: a repeated request gets the first one's answer and is stored once
   * @throws {DomainError} 400 for a key that is none, 409 for one that came with another request before
   */
  async submit(request: ContactRequest, sender: Sender, idempotencyKey?: string): Promise<ContactReceipt> {
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      throw new DomainError(
        websiteErrors.badRequest,
        'The Idempotency-Key should be 1 to 255 visible ASCII characters, such as a UUID.',
      );
    }
    // Whatever fills in what nobody sees is answered like a person and not heard.
    if (request.nickname) return { message: MESSAGE, id: randomUUID() };
    const { firstName, email, company = '', message } = request;
    const id = randomUUID();
    const bodyHash = digest(JSON.stringify([firstName, email, company, message]));
    const idempotencyHash =
      idempotencyKey === undefined ? null : digest(JSON.stringify([sender.cameBy, idempotencyKey]));
    if (idempotencyHash) await forgetOldIdempotencyKey(this.database, idempotencyHash);
    const row = { id, firstName, email, company, message, cameBy: sender.cameBy, idempotencyHash, bodyHash };
    if (await insertContactRequest(this.database, row)) {
      this.outbox.nudge();
      return { message: MESSAGE, id };
    }
    return this.firstAnswer(idempotencyHash, bodyHash);
  }

  private async firstAnswer(idempotencyHash: Buffer | null, bodyHash: Buffer): Promise<ContactReceipt> {
    const first = idempotencyHash ? await findByIdempotencyKey(this.database, idempotencyHash) : undefined;
    if (first?.body_hash.equals(bodyHash)) return { message: MESSAGE, id: first.id };
    throw new DomainError(
      websiteErrors.conflict,
      'This Idempotency-Key came with another request before; use a new one for a new request.',
    );
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
