import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Content codings that an answer may have, the best one first; `identity` is none. */
export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** Exactly the bytes of one answer. */
export interface Variant {
  coding: Coding;
  bytes: Buffer;
  /** Strong (RFC 9110, section 8.8.3): other bytes, another tag; so each coding has its own. */
  entityTag: string;
}

/** Below this, headers weigh more than compression saves. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** Brotli's own default takes thirty times as long for a tenth less: too much for the one reader who waits for it. */
const BROTLI_QUALITY = 6;

const compress: Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Buffer> = {
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => gzipSync(bytes),
};

/**
 * One form of some content (its HTML, its markdown, its JSON), made once and served many times: each coding is
 * computed when somebody first asks for it, and kept.
 */
export class Representation {
  private readonly bytes: Buffer;
  private readonly digest: string;
  private readonly variants = new Map<Coding, Variant>();

  /** @param contentType with its charset, such as `text/html; charset=utf-8` */
  constructor(
    readonly contentType: string,
    content: string | Buffer,
  ) {
    this.bytes = Buffer.from(content);
    this.digest = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22);
  }

  /** In bytes, as it is. */
  get size(): number {
    return this.bytes.length;
  }

  /** The content as text. */
  get text(): string {
    return this.bytes.toString('utf8');
  }

  /** The content in a coding, or as it is when that coding would not make it smaller. */
  variant(coding: Coding): Variant {
    const known = this.variants.get(coding);
    if (known) return known;
    const variant = this.encode(coding);
    this.variants.set(coding, variant);
    return variant;
  }

  private encode(coding: Coding): Variant {
    const plain: Variant = { coding: 'identity', bytes: this.bytes, entityTag: `"${this.digest}"` };
    if (coding === 'identity' || this.bytes.length < WORTH_COMPRESSING_BYTES) return plain;
    const bytes = compress[coding](this.bytes);
    return bytes.length < this.bytes.length
      ? { coding, bytes, entityTag: `"${this.digest}-${coding}"` }
      : plain;
  }
}

export function jsonRepresentation(value: object): Representation {
  return new Representation('application/json; charset=utf-8', JSON.stringify(value));
}
