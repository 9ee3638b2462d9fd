import { repositoriesOf } from '@gpu-observatory/service-runtime/entities';
import { StoredContactRequest } from '../contact/stored-contact-request.entity.ts';
import { MediaFile } from '../media/media-file.entity.ts';
import { ContentRevision } from '../posts/content-revision.entity.ts';
import { Post } from '../posts/post.entity.ts';
import { Category, Tag } from '../posts/term.entity.ts';

export const ENTITIES = [Category, Tag, Post, MediaFile, ContentRevision, StoredContactRequest];

/** Returns a repository whose statements run on a database or transaction. */
export const repository = await repositoriesOf('website', ENTITIES);
