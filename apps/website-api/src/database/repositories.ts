import { EntityDataSource, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { StoredContactRequest } from '../contact/contact-request.entity.ts';
import { MediaFile } from '../media/media-file.entity.ts';
import { ContentRevision } from '../posts/content-revision.entity.ts';
import { Post } from '../posts/post.entity.ts';
import { PostTag } from '../posts/post-tag.entity.ts';
import { Category, Tag } from '../posts/term.entity.ts';

export const ENTITIES = [Category, Tag, Post, PostTag, MediaFile, ContentRevision, StoredContactRequest];

const dataSource = await new EntityDataSource('website', ENTITIES).initialize();

/** Returns a repository whose statements run on this database or transaction. */
export function repository<Row extends ObjectLiteral>(
  queryable: Queryable,
  entity: EntityTarget<Row>,
): Repository<Row> {
  return dataSource.repositoryOn(queryable, entity);
}
