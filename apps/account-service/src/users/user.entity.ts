import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import {
  ASSIGNED_ID,
  CREATED_AT,
  FALSE,
  INTEGER,
  KEY_TEXT,
  OPTIONAL_TIME,
  TEXT,
} from '@gpu-observatory/service-runtime/entities';
import { Customer } from '../tenants/customer.entity.ts';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', ASSIGNED_ID)
  id!: number;

  @Index('users_customer')
  @Column(INTEGER)
  customer_id!: number;

  @ManyToOne(() => Customer, { nullable: false })
  @JoinColumn({ name: 'customer_id' })
  customer!: Customer;

  @Column({ ...KEY_TEXT, unique: true })
  email!: string;

  @Column({ ...TEXT, default: '' })
  name!: string;

  /** URL of a picture, or empty. */
  @Column({ ...TEXT, default: '' })
  avatar!: string;

  /** Has the owner role in every workspace of the customer. */
  @Column(FALSE)
  administrator!: boolean;

  /** Declared by the tenants file or a command; only a declared role is removed when the file omits it. */
  @Column(FALSE)
  administrator_declared!: boolean;

  @Column(OPTIONAL_TIME)
  disabled_at!: Date | null;

  @Column(OPTIONAL_TIME)
  last_signed_in_at!: Date | null;

  @Column(CREATED_AT)
  created_at!: Date;
}
