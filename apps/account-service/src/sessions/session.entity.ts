import { HASH, INTEGER, OPTIONAL_TIME, TEXT, TIME } from '@gpu-observatory/service-runtime/entities';
import { Column, Entity, Index, IsNull, JoinColumn, ManyToOne, PrimaryColumn, Raw } from 'typeorm';
import type { SignInMethodId } from '../sign-in/sign-in-methods.ts';
import { User } from '../users/user.entity.ts';

/** Condition of sessions that have neither ended nor expired. */
export const IS_ACTIVE = { ended_at: IsNull(), expires_at: Raw((time) => `${time} > clock_timestamp()`) };

@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Index('sessions_user')
  @Column(INTEGER)
  user_id!: number;

  @ManyToOne(() => User, { nullable: false })
  @JoinColumn({ name: 'user_id' })
  user!: User;

  @Column(TEXT)
  sign_in_method!: SignInMethodId;

  @Column({ ...HASH, unique: true })
  refresh_token_hash!: Buffer;

  @Column(TIME)
  signed_in_at!: Date;

  @Index('sessions_expiry')
  @Column(TIME)
  expires_at!: Date;

  @Column(OPTIONAL_TIME)
  last_refreshed_at!: Date | null;

  /** `User-Agent` and network of the client at sign-in, so that users recognize their sessions. */
  @Column({ ...TEXT, default: '' })
  user_agent!: string;

  @Column({ ...TEXT, default: '' })
  network!: string;

  @Column(OPTIONAL_TIME)
  ended_at!: Date | null;

  @Column({ ...TEXT, nullable: true })
  end_reason!: string | null;
}
