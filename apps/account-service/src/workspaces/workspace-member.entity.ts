import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import { CREATED_AT, FALSE, INTEGER, TEXT } from '@gpu-observatory/service-runtime/entities';
import { User } from '../users/user.entity.ts';
import { Workspace } from './workspace.entity.ts';

@Entity('workspace_members')
@Check('workspace_members_role_check', `role IN ('owner', 'member', 'viewer')`)
export class WorkspaceMember {
  @PrimaryColumn(INTEGER)
  workspace_id!: number;

  @ManyToOne(() => Workspace, { nullable: false })
  @JoinColumn({ name: 'workspace_id' })
  workspace!: Workspace;

  @Index('workspace_members_user')
  @PrimaryColumn(INTEGER)
  user_id!: number;

  @ManyToOne(() => User, { nullable: false })
  @JoinColumn({ name: 'user_id' })
  user!: User;

  @Column(TEXT)
  role!: WorkspaceRole;

  /** Declared by the tenants file or a command; only a declared membership is removed when the file omits it. */
  @Column(FALSE)
  declared!: boolean;

  @Column(CREATED_AT)
  created_at!: Date;
}
