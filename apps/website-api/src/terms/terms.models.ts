import { ApiProperty } from '@nestjs/swagger';
import type { Term } from '../posts/content-snapshot.ts';

/** A category or a tag with how many published posts it has (decisions, section 4, Shapes). */
export class TermWithCount {
  @ApiProperty({ description: 'What addresses it, and what posts are filtered by.' })
  slug!: string;

  @ApiProperty({ description: 'As people read it.' })
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
