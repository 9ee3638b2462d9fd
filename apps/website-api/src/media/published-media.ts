import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Representation } from '@gpu-observatory/service-runtime';
import { type FindOptionsWhere, Raw, type Repository } from 'typeorm';
import { MediaFile } from './media-file.entity.ts';

/** Size of the in-memory cache. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

interface CachedFile {
  sha256: Buffer;
  file: Representation;
}

/** Reads images and attachments from the database once they are visible, with a cache in memory. */
@Injectable()
export class PublishedMedia {
  private readonly cache = new Map<string, CachedFile>();
  private cachedBytes = 0;

  constructor(@InjectRepository(MediaFile) private readonly files: Repository<MediaFile>) {}

  async find(path: string): Promise<Representation | undefined> {
    const stored = await this.files.findOne({ select: { sha256: true }, where: visible(path) });
    if (!stored) return undefined;
    const cached = this.cache.get(path);
    return cached?.sha256.equals(stored.sha256) ? cached.file : this.read(path);
  }

  private async read(path: string): Promise<Representation | undefined> {
    const row = await this.files.findOne({
      select: { content_type: true, sha256: true, bytes: true },
      where: visible(path),
    });
    if (!row) return undefined;
    const file = new Representation(row.content_type, row.bytes);
    this.store(path, { sha256: row.sha256, file });
    return file;
  }

  private store(path: string, entry: CachedFile): void {
    this.evict(path);
    this.cache.set(path, entry);
    this.cachedBytes += entry.file.bytes.length;
    for (const oldest of this.cache.keys()) {
      if (this.cachedBytes <= MAX_CACHED_BYTES) break;
      this.evict(oldest);
    }
  }

  private evict(path: string): void {
    this.cachedBytes -= this.cache.get(path)?.file.bytes.length ?? 0;
    this.cache.delete(path);
  }
}

const visible = (path: string): FindOptionsWhere<MediaFile> => ({
  path,
  visible_from: Raw((visibleFrom) => `${visibleFrom} <= now()`),
});
