import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { CREATED_AT, INTEGER, KEY_TEXT } from '@gpu-observatory/service-runtime/entities';
import { User } from './user.entity.ts';

/** Account at a provider that is linked to a user. An email address may be reassigned, a subject never is. */
@Entity('user_identities')
@Unique(['user_id', 'provider'])
export class UserIdentity {
  @PrimaryColumn(KEY_TEXT)
  provider!: string;

  @PrimaryColumn(KEY_TEXT)
  subject!: string;

  @Column(INTEGER)
  user_id!: number;

  @ManyToOne(() => User, { nullable: false })
  @JoinColumn({ name: 'user_id' })
  user!: User;

  @Column(CREATED_AT)
  linked_at!: Date;
}
