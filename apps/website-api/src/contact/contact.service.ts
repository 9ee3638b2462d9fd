import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, DomainError, websiteErrors } from '@gpu-observatory/service-runtime/process';
import type { ContactReceipt, ContactRequest } from './contact.dto.ts';
import {
  findByIdempotencyKey,
  releaseExpiredIdempotencyKey,
  insertContactRequest,
} from './contact-requests.queries.ts';
import { ContactOutbox } from './contact-outbox.ts';

const MESSAGE = 'Thank you. We have received your request and will reply by mail.';
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Stores contact requests before it responds; the outbox mails them afterwards. */
@Injectable()
export class ContactService {
  constructor(
    private readonly database: Database,
    private readonly outbox: ContactOutbox,
  ) {}

  /**
   * @param idempotencyKey the `Idempotency-Key` header: a repeated request is stored once and gets the first receipt
   * @throws {DomainError} 400 for a malformed idempotency key, 409 for one that was used for a different request
   */
  async submit(request: ContactRequest, sender: string, idempotencyKey?: string): Promise<ContactReceipt> {
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      throw new DomainError(
        websiteErrors.badRequest,
        'Idempotency-Key must be 1 to 255 visible ASCII characters, for example a UUID.',
      );
    }
    // Bots fill in the hidden field. They get a receipt, but nothing is stored.
    if (request.nickname) return { message: MESSAGE, id: randomUUID() };
    const { firstName, email, company = '', message } = request;
    const id = randomUUID();
    const bodyHash = digest(JSON.stringify([firstName, email, company, message]));
    const keyHash = idempotencyKey === undefined ? null : digest(JSON.stringify([sender, idempotencyKey]));
    if (keyHash) await releaseExpiredIdempotencyKey(this.database, keyHash);
    const row = {
      id,
      first_name: firstName,
      email,
      company,
      message,
      sender,
      idempotency_key_hash: keyHash,
      body_hash: bodyHash,
    };
    if (await insertContactRequest(this.database, row)) {
      this.outbox.wake();
      return { message: MESSAGE, id };
    }
    return this.originalReceipt(keyHash, bodyHash);
  }

  private async originalReceipt(keyHash: Buffer | null, bodyHash: Buffer): Promise<ContactReceipt> {
    const first = keyHash && (await findByIdempotencyKey(this.database, keyHash));
    if (first?.body_hash.equals(bodyHash)) return { message: MESSAGE, id: first.id };
    throw new DomainError(
      websiteErrors.conflict,
      'This Idempotency-Key was used for a different request. Use a new key for a new request.',
    );
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();
