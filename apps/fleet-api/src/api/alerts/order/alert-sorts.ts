import { ALERT_STATES, ALERT_TYPES, isUuid, SEVERITIES } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { LATEST_MS } from '../../paging/page-token.ts';

export const SORT_FIELDS = ['timestamp', 'severity', 'type', 'state', 'hostname'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** What `sort` may be (contract 4.2, list rule 2). */
export const SORTS = SORT_FIELDS.flatMap((field) => [field, `-${field}`]);
export const DEFAULT_SORT = '-timestamp';

export interface AlertSort {
  field: SortField;
  descending: boolean;
}

export function readSort(text: string): AlertSort {
  const descending = text.startsWith('-');
  return { field: text.slice(descending ? 1 : 0) as SortField, descending };
}

/** Where a row stands in a sort: its value as it is stored (null by time alone, or without a hostname), time and id. */
export type SortKey = [value: number | string | null, createdAtMs: number, id: string];

/** What a page token of this sort must hold. */
export function sortKeySchema(field: SortField): z.ZodType<SortKey> {
  return z.tuple([VALUES[field], z.number().int().min(0).max(LATEST_MS), z.string().refine(isUuid)]);
}

const rankOf = (members: readonly string[]) =>
  z
    .number()
    .int()
    .min(0)
    .max(members.length - 1);
const VALUES: Record<SortField, z.ZodType<SortKey[0]>> = {
  timestamp: z.null(),
  severity: rankOf(SEVERITIES),
  state: rankOf(ALERT_STATES),
  type: z.enum(ALERT_TYPES),
  hostname: z
    .string()
    .refine((text) => text.isWellFormed() && !text.includes('\0'))
    .nullable(),
};

/** The stored values of a field with a fixed set of them, as they sort; types sort by code point. */
export const STORED_VALUES = {
  severity: SEVERITIES.map((_member, rank) => rank),
  state: ALERT_STATES.map((_member, rank) => rank),
  type: [...ALERT_TYPES].sort(),
} as const satisfies Record<string, readonly (number | string)[]>;
export type ValueField = keyof typeof STORED_VALUES;

export function isValueField(field: SortField): field is ValueField {
  return field in STORED_VALUES;
}
