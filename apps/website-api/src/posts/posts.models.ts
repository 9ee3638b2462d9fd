import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { postPath } from './post-paths.ts';
import type { PostRow } from './posts.queries.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** The query string of `GET /api/posts`. Values stay text until they are checked. */
export class PostsQuery {
  @ApiPropertyOptional({ description: 'Only posts of the category with this slug.', minLength: 1 })
  @IsOptional()
  @Matches(/^.+$/su, { message: '"category" should be given once, as the slug of a category' })
  category?: string;

  @ApiPropertyOptional({ description: 'Only posts with the tag of this slug.', minLength: 1 })
  @IsOptional()
  @Matches(/^.+$/su, { message: '"tag" should be given once, as the slug of a tag' })
  tag?: string;

  @ApiPropertyOptional({ type: 'boolean', description: 'Only featured posts, or only the others.' })
  @IsOptional()
  @IsIn(['true', 'false'], { message: '"featured" should be true or false' })
  featured?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @IsOptional()
  @Matches(/^0*([1-9]\d?|100)$/, { message: `"limit" should be an integer from 1 to ${MAX_LIMIT}` })
  limit?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'How many of the newest to leave out.',
  })
  @IsOptional()
  @Matches(/^\d+$/, { message: '"offset" should be an integer from 0' })
  offset?: string;
}

/** A post in a list (decisions, section 4, Shapes). */
export class PostSummary {
  @ApiProperty({ description: 'What addresses the post.' })
  slug!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ description: 'What it is about, as plain text.' })
  summary!: string;

  @ApiProperty()
  author!: string;

  @ApiProperty({ format: 'date-time' })
  published_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The slug of its category, if it has one.' })
  category!: string | null;

  @ApiProperty({ type: [String], description: 'The slugs of its tags.' })
  tags!: string[];

  @ApiProperty()
  featured!: boolean;

  @ApiProperty({ type: 'integer', minimum: 1 })
  reading_minutes!: number;

  @ApiProperty({ format: 'uri', description: 'Its page; with .md appended, the same as markdown.' })
  url!: string;
}

export class Post extends PostSummary {
  @ApiProperty({ description: 'The whole post as markdown.' })
  body!: string;
}

export class PostList {
  @ApiProperty({ type: [PostSummary], description: 'Newest first.' })
  posts!: PostSummary[];

  @ApiProperty({ type: 'integer', description: 'How many there are, whatever limit and offset say.' })
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

export function postSummary(row: PostRow, siteUrl: string): PostSummary {
  return {
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    author: row.author,
    published_at: row.published_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    category: row.category_slug,
    tags: row.tag_slugs,
    featured: row.featured,
    reading_minutes: row.reading_minutes,
    url: siteUrl + postPath(row.slug),
  };
}
