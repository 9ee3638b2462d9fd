import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { ASSIGNED_ID, INTEGER, TEXT, TIME } from '../database/columns.ts';

/** Security event. The service can only append it: `audit` has the statement. */
@Entity('audit_events')
export class AuditEventRow {
  @PrimaryGeneratedColumn('identity', { ...ASSIGNED_ID, type: 'bigint' })
  id!: number;

  @Index('audit_events_occurred')
  @Column({ ...TIME, default: () => 'clock_timestamp()' })
  occurred_at!: Date;

  @Column(TEXT)
  action!: string;

  /** `user:7`, `operator:name` or `anonymous`. */
  @Column(TEXT)
  actor!: string;

  @Column({ ...INTEGER, nullable: true })
  customer_id!: number | null;

  @Column({ ...INTEGER, nullable: true })
  user_id!: number | null;

  @Column({ ...TEXT, nullable: true })
  network!: string | null;

  @Column({ ...TEXT, nullable: true })
  request_id!: string | null;

  @Column({ type: 'jsonb', default: {} })
  detail!: Record<string, unknown>;
}
