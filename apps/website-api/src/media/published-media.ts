import { Injectable } from '@nestjs/common';
import { Representation } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { type FindOptionsWhere, Raw } from 'typeorm';
import { repository } from '../database/repositories.ts';
import { representationCache } from '../negotiation/representation-cache.ts';
import { MediaFile } from './media-file.entity.ts';

/** Size of the in-memory cache. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Reads images and attachments from the database once they are visible, with a cache in memory. */
@Injectable()
export class PublishedMedia {
  /** By digest and path. */
  private readonly cache = representationCache(MAX_CACHED_BYTES);

  constructor(private readonly database: Database) {}

  private get files() {
    return repository(this.database, MediaFile);
  }

  async find(path: string): Promise<Representation | undefined> {
    const stored = await this.files.findOne({ select: { sha256: true }, where: visible(path) });
    if (!stored) return undefined;
    return this.cache.get(keyOf(path, stored)) ?? this.read(path);
  }

  private async read(path: string): Promise<Representation | undefined> {
    const row = await this.files.findOne({
      select: { content_type: true, sha256: true, bytes: true },
      where: visible(path),
    });
    if (!row) return undefined;
    const file = new Representation(row.content_type, row.bytes);
    this.cache.set(keyOf(path, row), file);
    return file;
  }
}

const keyOf = (path: string, { sha256 }: MediaFile): string => `${sha256.toString('hex')} ${path}`;

const visible = (path: string): FindOptionsWhere<MediaFile> => ({
  path,
  visible_from: Raw((visibleFrom) => `${visibleFrom} <= now()`),
});
