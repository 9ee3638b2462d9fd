import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import {
  ASSIGNED_ID,
  CREATED_AT,
  FALSE,
  INTEGER,
  KEY_TEXT,
  TEXT,
} from '@gpu-observatory/service-runtime/entities';
import { Customer } from '../tenants/customer.entity.ts';

@Entity('workspaces')
@Unique(['customer_id', 'slug'])
@Index('workspaces_one_default', ['customer_id'], { unique: true, where: 'is_default' })
export class Workspace {
  @PrimaryGeneratedColumn('identity', ASSIGNED_ID)
  id!: number;

  @Column(INTEGER)
  customer_id!: number;

  @ManyToOne(() => Customer, { nullable: false })
  @JoinColumn({ name: 'customer_id' })
  customer!: Customer;

  @Column(KEY_TEXT)
  slug!: string;

  @Column(TEXT)
  name!: string;

  /** New users join this workspace. */
  @Column(FALSE)
  is_default!: boolean;

  @Column(CREATED_AT)
  created_at!: Date;
}
