import { INTEGER, KEY_TEXT } from '@gpu-observatory/service-runtime/process';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Post } from './post.entity.ts';
import { Tag } from './term.entity.ts';

/** A tag of a post. */
@Entity('post_tags')
export class PostTag {
  @PrimaryColumn(KEY_TEXT)
  post_slug!: string;

  @ManyToOne(() => Post, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'post_slug' })
  post!: Post;

  /** Order of the tags in the front matter. */
  @PrimaryColumn(INTEGER)
  position!: number;

  @Column(KEY_TEXT)
  tag_slug!: string;

  @ManyToOne(() => Tag, { nullable: false })
  @JoinColumn({ name: 'tag_slug' })
  tag!: Tag;
}
