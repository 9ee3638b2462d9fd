import { createHash } from 'node:crypto';

/** Content of one media type (HTML, markdown, JSON). */
export class Representation {
  readonly bytes: Buffer;
  /** Strong validator (RFC 9110, section 8.8.3) of the content without a coding. */
  readonly entityTag: string;

  /**
   * @param contentType including the charset, for example `text/html; charset=utf-8`
   * @param lastModified for clients that send no entity tag, such as feed readers
   */
  constructor(
    readonly contentType: string,
    content: string | Buffer,
    readonly lastModified?: Date,
  ) {
    this.bytes = Buffer.from(content);
    this.entityTag = `"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`;
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }
}

export function jsonRepresentation(value: object): Representation {
  return new Representation('application/json; charset=utf-8', JSON.stringify(value));
}
