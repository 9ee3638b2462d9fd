import {
  CREATED_AT,
  HASH,
  INTEGER,
  KEY_TEXT,
  OPTIONAL_TIME,
} from '@gpu-observatory/service-runtime/entities';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A contact request and its place in the outbox: a stored request is a queued mail. */
@Entity('contact_requests')
export class StoredContactRequest {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column(CREATED_AT)
  received_at!: Date;

  @Column(KEY_TEXT)
  first_name!: string;

  @Column(KEY_TEXT)
  email!: string;

  @Column(KEY_TEXT)
  company!: string;

  @Column(KEY_TEXT)
  message!: string;

  /** Browser origin or API key: `sender` of the request. */
  @Column(KEY_TEXT)
  sender!: string;

  /** Null without a key, and once the key is used again after 24 h. */
  @Column({ ...HASH, unique: true, nullable: true })
  idempotency_key_hash!: Buffer | null;

  /** Distinguishes a repeated request from a different one with the same key. */
  @Column(HASH)
  body_hash!: Buffer;

  /** Delivery attempts. */
  @Column({ ...INTEGER, default: 0 })
  attempts!: number;

  @Index('contact_requests_undelivered', { where: 'delivered_at IS NULL' })
  @Column(CREATED_AT)
  next_attempt_at!: Date;

  @Column(OPTIONAL_TIME)
  delivered_at!: Date | null;

  @Column({ ...KEY_TEXT, nullable: true })
  last_error!: string | null;
}
