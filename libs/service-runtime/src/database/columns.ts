/** Options of columns that have the same type in all tables. */
export const INTEGER = { type: 'integer' } as const;
export const TEXT = { type: 'text' } as const;
/** Text that is compared by its bytes. */
export const KEY_TEXT = { type: 'text', collation: 'C' } as const;
export const HASH = { type: 'bytea' } as const;
/** Time with the resolution of a `Date`. */
export const TIME = { type: 'timestamptz', precision: 3 } as const;
export const OPTIONAL_TIME = { ...TIME, nullable: true } as const;
export const CREATED_AT = { ...TIME, default: () => 'now()' } as const;
export const FALSE = { type: 'boolean', default: false } as const;
/** Id that PostgreSQL assigns. */
export const ASSIGNED_ID = { generatedIdentity: 'ALWAYS' } as const;
