import { KEY_TEXT } from '@gpu-observatory/service-runtime/entities';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A category or a tag. */
export abstract class TermRow {
  @PrimaryColumn(KEY_TEXT)
  slug!: string;

  @Column(KEY_TEXT)
  name!: string;
}

@Entity('categories')
export class Category extends TermRow {}

@Entity('tags')
export class Tag extends TermRow {}
