import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import {
  ASSIGNED_ID,
  CREATED_AT,
  FALSE,
  INTEGER,
  KEY_TEXT,
  TEXT,
} from '@gpu-observatory/service-runtime/entities';
import type { SignInMethodId } from '../sign-in/sign-in-methods.ts';

/** Roles of new users in the default workspace; `none` adds them to no workspace. */
export const DEFAULT_ROLES = ['member', 'viewer', 'none'] as const;
export type DefaultRole = (typeof DEFAULT_ROLES)[number];
export const DEFAULT_ROLE: DefaultRole = 'viewer';

@Entity('customers')
@Check('customers_default_role_check', `default_role IN ('member', 'viewer', 'none')`)
@Check('customers_max_key_days_check', 'max_key_days >= 1')
export class Customer {
  @PrimaryGeneratedColumn('identity', ASSIGNED_ID)
  id!: number;

  @Column({ ...KEY_TEXT, unique: true })
  slug!: string;

  @Column(TEXT)
  name!: string;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  @Column({ ...TEXT, default: DEFAULT_ROLE })
  default_role!: DefaultRole;

  /** Maximum lifetime of new API keys; null for no maximum. */
  @Column({ ...INTEGER, nullable: true })
  max_key_days!: number | null;

  /** Allowed sign-in methods; null for all. */
  @Column({ ...TEXT, array: true, nullable: true })
  sign_in_methods!: SignInMethodId[] | null;

  /** Whether an account at Google must belong to the Workspace of the email domain. */
  @Column(FALSE)
  google_workspace_required!: boolean;

  @Column(CREATED_AT)
  created_at!: Date;
}
