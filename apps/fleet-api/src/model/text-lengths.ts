// Maximum lengths of stored texts, in characters (code points). The importer rejects longer ones.

export const NAME_LENGTH = 1_000;
export const TEXT_LENGTH = 20_000;
/** A DNS name has at most 253 (RFC 1035). Lists are sorted by it, and a B-tree entry is limited to 2,704 bytes. */
export const HOSTNAME_LENGTH = 255;
