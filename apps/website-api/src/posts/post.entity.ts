import { INTEGER, KEY_TEXT, TIME } from '@gpu-observatory/service-runtime/entities';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Category } from './term.entity.ts';

/** A post as stored, published or scheduled. `content sync` replaces the rows; the service only reads them. */
@Entity('posts')
export class Post {
  @PrimaryColumn(KEY_TEXT)
  slug!: string;

  @Column(KEY_TEXT)
  title!: string;

  @Column(KEY_TEXT)
  summary!: string;

  @Column(KEY_TEXT)
  author!: string;

  /** Language tag (BCP 47). */
  @Column(KEY_TEXT)
  language!: string;

  @Column(TIME)
  published_at!: Date;

  @Column(TIME)
  updated_at!: Date;

  @Column({ ...KEY_TEXT, nullable: true })
  category_slug!: string | null;

  @ManyToOne(() => Category)
  @JoinColumn({ name: 'category_slug' })
  category!: Category | null;

  /** In the order of the front matter. */
  @Column({ ...KEY_TEXT, array: true })
  tag_slugs!: string[];

  @Column({ type: 'boolean' })
  featured!: boolean;

  @Column(INTEGER)
  reading_minutes!: number;

  /** URL of the first publication on another site. */
  @Column({ ...KEY_TEXT, nullable: true })
  canonical_url!: string | null;

  /** Earlier URL paths, which redirect to the post; in comparable form. */
  @Column({ ...KEY_TEXT, array: true })
  former_paths!: string[];

  /** URL path of the Open Graph image. */
  @Column({ ...KEY_TEXT, nullable: true })
  image_path!: string | null;

  /** Markdown with `SITE_PLACEHOLDER` in place of the site URL. */
  @Column(KEY_TEXT)
  body!: string;

  /** Sanitized HTML with `SITE_PLACEHOLDER` in place of the site URL. */
  @Column(KEY_TEXT)
  html!: string;
}
