import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row. Each sync that changes content increments the revision. */
@Entity('content_revision')
@Check('content_revision_single_row_check', 'single_row')
export class ContentRevision {
  @PrimaryColumn({ type: 'boolean', default: true })
  single_row!: boolean;

  @Column({ type: 'bigint' })
  revision!: number;
}
