import type { Database } from '@gpu-observatory/service-runtime';
import { Representation } from '../negotiation/representation.ts';

/** How much of the most recently asked for files is kept in memory. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/**
 * Images and attachments, each from the moment it appears. Their bytes stay in the database, those asked for lately in
 * memory too.
 */
export class PublishedMedia {
  private readonly kept = new Map<string, { sha256: string; file: Representation; size: number }>();
  private keptBytes = 0;

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
    const kept = this.kept.get(path);
    return kept?.sha256 === stored.sha256 ? kept.file : this.read(path);
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
    this.keep(path, { sha256: row.sha256, file, size: row.bytes.length });
    return file;
  }

  private keep(path: string, entry: { sha256: string; file: Representation; size: number }): void {
    this.drop(path);
    this.kept.set(path, entry);
    this.keptBytes += entry.size;
    for (const oldest of this.kept.keys()) {
      if (this.keptBytes <= MAX_KEPT_BYTES) break;
      this.drop(oldest);
    }
  }

  private drop(path: string): void {
    this.keptBytes -= this.kept.get(path)?.size ?? 0;
    this.kept.delete(path);
  }
}
