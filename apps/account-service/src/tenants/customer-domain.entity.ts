import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { INTEGER, KEY_TEXT } from '@gpu-observatory/service-runtime/entities';
import { Customer } from './customer.entity.ts';

/** Email domain, in lower case and the IDNA ASCII form. A domain belongs to one customer. */
@Entity('customer_domains')
export class CustomerDomain {
  @PrimaryColumn(KEY_TEXT)
  domain!: string;

  @Index('customer_domains_customer')
  @Column(INTEGER)
  customer_id!: number;

  @ManyToOne(() => Customer, { nullable: false })
  @JoinColumn({ name: 'customer_id' })
  customer!: Customer;
}
