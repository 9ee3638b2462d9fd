/** A value of a row; timestamps are RFC 3339. */
export type CopyValue = string | number | boolean | readonly number[] | null;
export type CopyType =
  'smallint' | 'integer' | 'integer[]' | 'bigint' | 'real' | 'boolean' | 'text' | 'uuid' | 'timestamptz';
/** Columns of a COPY in their order. */
export type CopyColumns = readonly (readonly [name: string, type: CopyType])[];

const CHUNK_BYTES = 64 * 1024;
/** Signature, flags, and length of the header extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);
/** PostgreSQL's epoch, 2000-01-01. */
const EPOCH_MS = 946_684_800_000;
const MAX_UTF8_BYTES = 3;
const UINT32 = 2 ** 32;
/** The type of the elements of `integer[]`, in pg_type. */
const INTEGER_OID = 23;
/** Dimensions, flags, element type, length and lower bound. */
const ARRAY_HEADER_BYTES = 20;
/** Length and value. */
const ELEMENT_BYTES = 8;
const WIDTHS: Record<CopyType, number> = {
  smallint: 2,
  integer: 4,
  'integer[]': 0,
  bigint: 8,
  real: 4,
  boolean: 1,
  text: 0,
  uuid: 16,
  timestamptz: 8,
};

/**
 * Encodes rows in PostgreSQL's binary COPY format (https://www.postgresql.org/docs/current/sql-copy.html), in chunks. Numbers
 * and times cost neither side a conversion to text.
 */
export function* binaryRows(columns: CopyColumns, rows: Iterable<readonly CopyValue[]>): Generator<Buffer> {
  yield HEADER;
  const types = columns.map(([, type]) => type);
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let end = 0;
  for (const row of rows) {
    const size = maxSize(types, row);
    if (end + size > chunk.length) {
      if (end > 0) yield chunk.subarray(0, end);
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, size));
      end = 0;
    }
    end = writeRow(chunk, end, types, row);
  }
  if (end > 0) yield chunk.subarray(0, end);
  yield TRAILER;
}

function maxSize(types: readonly CopyType[], row: readonly CopyValue[]): number {
  let size = 2;
  for (let i = 0; i < types.length; i += 1) {
    const value = row[i];
    const isText = types[i] === 'text' && typeof value === 'string';
    if (isText) size += 4 + MAX_UTF8_BYTES * value.length;
    else if (Array.isArray(value)) size += 4 + ARRAY_HEADER_BYTES + ELEMENT_BYTES * value.length;
    else size += 4 + WIDTHS[types[i] as CopyType];
  }
  return size;
}

/** @returns the position after the row */
function writeRow(
  into: Buffer,
  start: number,
  types: readonly CopyType[],
  row: readonly CopyValue[],
): number {
  let at = into.writeInt16BE(types.length, start);
  for (let i = 0; i < types.length; i += 1) {
    const value = row[i] as CopyValue;
    const type = types[i] as CopyType;
    if (value === null) at = into.writeInt32BE(-1, at);
    else if (type === 'text') {
      const bytes = into.write(value as string, at + 4, 'utf8');
      into.writeInt32BE(bytes, at);
      at += 4 + bytes;
    } else if (type === 'integer[]') at = writeIntegers(into, at, value as readonly number[]);
    else at = writeValue(into, into.writeInt32BE(WIDTHS[type], at), type, value as string | number | boolean);
  }
  return at;
}

function writeValue(into: Buffer, at: number, type: CopyType, value: string | number | boolean): number {
  switch (type) {
    case 'real':
      return into.writeFloatBE(value as number, at);
    case 'bigint':
      return writeInt64(into, at, value as number);
    case 'integer':
      return into.writeInt32BE(value as number, at);
    case 'smallint':
      return into.writeInt16BE(value as number, at);
    case 'boolean':
      return into.writeUInt8(value === true ? 1 : 0, at);
    case 'timestamptz':
      return writeInt64(into, at, (Date.parse(value as string) - EPOCH_MS) * 1_000);
    default:
      return writeUuid(into, at, value as string);
  }
}

const HYPHEN = '-'.charCodeAt(0);

/** Writes a UUID without creating a copy of its text that has no hyphens. */
function writeUuid(into: Buffer, start: number, text: string): number {
  let at = start;
  for (let i = 0; i < text.length; i += 2) {
    if (text.charCodeAt(i) === HYPHEN) i += 1;
    into[at++] = (digitAt(text, i) << 4) | digitAt(text, i + 1);
  }
  return at;
}

/** Returns a hexadecimal digit. In ASCII, the lower four bits of digits are their values, and those of letters count from 1. */
function digitAt(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return (code & 15) + (code >> 6) * 9;
}

/** Writes an array with its length in bytes. An empty one has no dimension. */
function writeIntegers(into: Buffer, start: number, values: readonly number[]): number {
  const dimensions = values.length === 0 ? [] : [values.length, 1];
  let at = start + 4;
  for (const field of [dimensions.length / 2, 0, INTEGER_OID, ...dimensions])
    at = into.writeInt32BE(field, at);
  for (const value of values) at = into.writeInt32BE(value, into.writeInt32BE(4, at));
  into.writeInt32BE(at - start - 4, start);
  return at;
}

/** Writes a safe integer, without a BigInt. */
function writeInt64(into: Buffer, at: number, value: number): number {
  const high = Math.floor(value / UINT32);
  return into.writeUInt32BE(value - high * UINT32, into.writeInt32BE(high, at));
}
