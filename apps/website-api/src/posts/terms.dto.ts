import { ApiProperty } from '@nestjs/swagger';
import type { Term } from './content-snapshot.ts';

/** A category or tag with its number of published posts. */
export class TermWithCount {
  @ApiProperty({ description: 'Identifies the term in URLs and in post filters.' })
  slug!: string;

  @ApiProperty({ description: 'Display name.' })
  name!: string;

  @ApiProperty({ type: 'integer', minimum: 1 })
  post_count!: number;
}

export class CategoryList {
  @ApiProperty({ type: [TermWithCount] })
  categories!: TermWithCount[];
}

export class TagList {
  @ApiProperty({ type: [TermWithCount] })
  tags!: TermWithCount[];
}

export const withCount = ({ slug, name, posts }: Term): TermWithCount => ({
  slug,
  name,
  post_count: posts.length,
});
