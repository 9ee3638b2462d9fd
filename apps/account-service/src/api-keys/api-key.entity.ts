import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import {
  ASSIGNED_ID,
  HASH,
  INTEGER,
  OPTIONAL_TIME,
  TEXT,
  TIME,
} from '@gpu-observatory/service-runtime/entities';
import { User } from '../users/user.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';
import type { ReadAccess, StoredScope } from './scopes.ts';

@Entity('api_keys')
@Check('api_keys_read_access_check', `read_access IN ('workspace', 'customer')`)
export class ApiKey {
  @PrimaryGeneratedColumn('identity', ASSIGNED_ID)
  id!: number;

  @Index('api_keys_workspace')
  @Column(INTEGER)
  workspace_id!: number;

  @ManyToOne(() => Workspace, { nullable: false })
  @JoinColumn({ name: 'workspace_id' })
  workspace!: Workspace;

  @Column(TEXT)
  name!: string;

  @Column({ ...TEXT, default: '' })
  description!: string;

  @Column({ ...HASH, unique: true })
  secret_hash!: Buffer;

  /** Last four characters of the secret. */
  @Column(TEXT)
  secret_ending!: string;

  /** Only an operator changes it. */
  @Column({ ...TEXT, array: true, default: ['telemetry:write'], insert: false })
  scopes!: StoredScope[];

  /** Null without the scope `fleet:read`. */
  @Column({ ...TEXT, nullable: true, insert: false })
  read_access!: ReadAccess | null;

  /** `sid` of its access tokens. */
  @Column('uuid')
  token_session_id!: string;

  /** Only an operator changes it. */
  @Column({ type: 'boolean', default: true, insert: false })
  active!: boolean;

  @Index('api_keys_creator')
  @Column(INTEGER)
  created_by!: number;

  @ManyToOne(() => User, { nullable: false })
  @JoinColumn({ name: 'created_by' })
  creator!: User;

  @Column(OPTIONAL_TIME)
  expires_at!: Date | null;

  @Column(OPTIONAL_TIME)
  last_used_at!: Date | null;

  @Column(TIME)
  created_at!: Date;

  @Column(TIME)
  updated_at!: Date;
}
