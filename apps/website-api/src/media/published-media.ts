import { Representation } from '@gpu-observatory/service-runtime';
import { type Database } from '@gpu-observatory/service-runtime/process';

/** Size of the in-memory cache. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Reads images and attachments from the database once they are visible, with a cache in memory. */
export class PublishedMedia {
  private readonly cache = new Map<string, { sha256: string; file: Representation; size: number }>();
  private cachedBytes = 0;

  constructor(private readonly database: Database) {}

  async find(path: string): Promise<Representation | undefined> {
    const [stored] = await this.database.query<{ sha256: string }>({
      name: 'media-digest',
      text: `
        SELECT encode(sha256, 'hex') AS sha256 FROM website.media
         WHERE path = $1 AND visible_from <= now()`,
      values: [path],
    });
    if (!stored) return undefined;
    const cached = this.cache.get(path);
    return cached?.sha256 === stored.sha256 ? cached.file : this.read(path);
  }

  private async read(path: string): Promise<Representation | undefined> {
    const [row] = await this.database.query<{ content_type: string; sha256: string; bytes: Buffer }>({
      name: 'media-bytes',
      text: `
        SELECT content_type, encode(sha256, 'hex') AS sha256, bytes FROM website.media
         WHERE path = $1 AND visible_from <= now()`,
      values: [path],
    });
    if (!row) return undefined;
    const file = new Representation(row.content_type, row.bytes);
    this.store(path, { sha256: row.sha256, file, size: row.bytes.length });
    return file;
  }

  private store(path: string, entry: { sha256: string; file: Representation; size: number }): void {
    this.evict(path);
    this.cache.set(path, entry);
    this.cachedBytes += entry.size;
    for (const oldest of this.cache.keys()) {
      if (this.cachedBytes <= MAX_CACHED_BYTES) break;
      this.evict(oldest);
    }
  }

  private evict(path: string): void {
    this.cachedBytes -= this.cache.get(path)?.size ?? 0;
    this.cache.delete(path);
  }
}
