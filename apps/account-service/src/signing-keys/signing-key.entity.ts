import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { HASH, KEY_TEXT, OPTIONAL_TIME, TIME } from '@gpu-observatory/service-runtime/entities';

@Entity('signing_keys')
export class SigningKey {
  @PrimaryColumn(KEY_TEXT)
  kid!: string;

  @Column({ type: 'jsonb' })
  public_jwk!: JWK;

  @Column(HASH)
  encrypted_private_key!: Buffer;

  /** In the JWKS from then on. */
  @Column(TIME)
  published_at!: Date;

  /** Signs from then on, until a later key does. */
  @Column(TIME)
  sign_from!: Date;

  /** Every token it signed has expired by then; null while it has no successor. */
  @Column(OPTIONAL_TIME)
  retire_at!: Date | null;

  /** Set for a stolen key: none of its tokens is valid. */
  @Column(OPTIONAL_TIME)
  withdrawn_at!: Date | null;
}
