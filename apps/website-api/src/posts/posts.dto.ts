import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { postPath } from './post-paths.ts';
import type { PublishedPost } from './posts.queries.ts';

export const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_OFFSET = 999_999_999_999_999;

/** Query parameters of `GET /api/posts`, as text. */
export class PostsQuery {
  @ApiPropertyOptional({
    description: 'Slug of a category of `GET /api/categories`: lists only its posts.',
    minLength: 1,
  })
  @IsOptional()
  @Matches(/^.+$/su, { message: '"category" must be one category slug' })
  category?: string;

  @ApiPropertyOptional({
    description: 'Slug of a tag of `GET /api/tags`: lists only posts that have it.',
    minLength: 1,
  })
  @IsOptional()
  @Matches(/^.+$/su, { message: '"tag" must be one tag slug' })
  tag?: string;

  @ApiPropertyOptional({ type: 'boolean', description: 'true: only featured posts; false: only the others.' })
  @IsOptional()
  @IsIn(['true', 'false'], { message: '"featured" must be true or false' })
  featured?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @IsOptional()
  @Matches(/^([1-9]\d?|100)$/, { message: `"limit" must be an integer from 1 to ${MAX_LIMIT}` })
  limit?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OFFSET,
    default: 0,
    description: 'Number of matching posts to skip.',
  })
  @IsOptional()
  @Matches(/^(0|[1-9]\d{0,14})$/, { message: `"offset" must be an integer from 0 to ${MAX_OFFSET}` })
  offset?: string;
}

/** A post without its body, see docs/website-api.md#posts. */
export class PostSummary {
  @ApiProperty({ description: 'Identifies the post in URLs.' })
  slug!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ description: 'Summary as plain text.' })
  summary!: string;

  @ApiProperty({ description: 'Language tag (BCP 47), for example en.' })
  lang!: string;

  @ApiProperty()
  author!: string;

  @ApiProperty({ format: 'date-time' })
  published_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Slug of its category, or null.' })
  category!: string | null;

  @ApiProperty({ type: [String], description: 'Slugs of its tags.' })
  tags!: string[];

  @ApiProperty()
  featured!: boolean;

  @ApiProperty({ type: 'integer', minimum: 1 })
  reading_minutes!: number;

  @ApiProperty({ format: 'uri', description: 'URL of its page. Append .md for markdown.' })
  url!: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    nullable: true,
    description: 'URL of the first publication on another site, or null.',
  })
  canonical_url!: string | null;

  @ApiProperty({ type: 'string', format: 'uri', nullable: true, description: 'URL of its image, or null.' })
  image!: string | null;
}

export class Post extends PostSummary {
  @ApiProperty({ description: 'The full text as markdown.' })
  body!: string;
}

export class PostList {
  @ApiProperty({ type: [PostSummary], description: 'Newest first.' })
  posts!: PostSummary[];

  @ApiProperty({ type: 'integer', description: 'Number of matching posts on all pages.' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  limit!: number;

  @ApiProperty({ type: 'integer' })
  offset!: number;
}

export class SinglePost {
  @ApiProperty({ type: Post })
  post!: Post;
}

export function postSummary(row: PublishedPost, siteUrl: string): PostSummary {
  return {
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    lang: row.language,
    author: row.author,
    published_at: row.published_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    category: row.category_slug,
    tags: row.tag_slugs,
    featured: row.featured,
    reading_minutes: row.reading_minutes,
    url: siteUrl + postPath(row.slug),
    canonical_url: row.canonical_url,
    image: row.image_path === null ? null : siteUrl + row.image_path,
  };
}
