import { readFileSync } from 'node:fs';
import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { minutesAgo } from './records.ts';

interface Parameter {
  name: string;
  in: string;
  schema: { enum?: string[] };
}

/** An operation of `openapi.json` with values for its parameters. */
export interface DocumentedOperation {
  operationId: string;
  /** With `{id}`. */
  path: string;
  /** Values of each query parameter, except `page_token`. */
  query: Map<string, readonly string[]>;
  /** Whether a response has the token of a next page. */
  isPaginated: boolean;
}

const DAY = 24 * 60;
const MEMBERS = { severity: SEVERITIES, type: ALERT_TYPES, state: ALERT_STATES };
/** Common and rare ones, parts of words, and metacharacters of LIKE and SQL. */
const TEXTS = ['owned', '-2-', 'all-', '%', '_', "' OR true --", 'owned-by-1', 'x'];
const IDS = ['1', '2', '3', '9', '2147483648'];

/** Values of parameters that the document describes by type only. */
const VALUES: [name: RegExp, values: readonly string[]][] = [
  [/^(?:customer|workspace)_id$/, IDS],
  [/^api_key_id$/, ['5', '6']],
  [/^from$/, [minutesAgo(90), minutesAgo(50 * DAY)]],
  [/^to$/, [minutesAgo(0), minutesAgo(45)]],
  [/^page_size$/, ['1', '3', '1000']],
  ...(['severity', 'type', 'state'] as const).map((field): [RegExp, string[]] => [
    new RegExp(`^filter\\[${field}\\]\\[(?:in|notIn)\\]$`),
    [MEMBERS[field][0], MEMBERS[field].slice(0, 2).join(','), MEMBERS[field].slice(0, -1).join(',')],
  ]),
  [/^code$/, ['79', '31,79', '1']],
  [/^health$/, ['critical', 'missing,healthy', 'degraded']],
  [/^model$/, ['x', 'owned-model,x']],
  [/^q$/, TEXTS],
  [/^hostname$/, ['owned', 'owned-by-1-2-host', 'x']],
  [/^gpu_id$/, ['GPU-1', 'owned']],
  [/^alert_id$/, ['00000000-0000-4000-8000-000000000001']],
  [/^filter\[\w+\]\[(?:not)?(?:contains|startsWith|endsWith|equals)\]$/i, TEXTS],
  [/^filter\[(?:hostname|title)\]\[notIn\]$/, ['absent', 'owned-by-1-2-host,x']],
  [/^filter\[timestamp\]\[[gl]te\]$/, [minutesAgo(30)]],
];

/**
 * Returns all operations.
 *
 * @throws {Error} when a new operation or parameter has no values here
 */
export function documentedOperations(): DocumentedOperation[] {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [] }]) => {
      if (method !== 'get') throw new Error(`no test of tenant isolation sends ${method} ${path}`);
      const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
      const query = new Map(
        ofQuery
          .filter(({ name }) => name !== 'page_token')
          .map(({ name, schema }) => [name, schema.enum ?? valuesOf(name, operationId)]),
      );
      return { operationId, path, query, isPaginated: ofQuery.length > query.size };
    }),
  );
}

function valuesOf(name: string, operationId: string): readonly string[] {
  const values = VALUES.find(([pattern]) => pattern.test(name))?.[1];
  if (values === undefined)
    throw new Error(`add values of ${name} (${operationId}) to VALUES, for the tests of tenant isolation`);
  return values;
}

/** Returns the URL path of an operation. @param ids by the part of the path before `{id}` */
export function pathOf(
  path: string,
  ids: Record<string, string>,
  query: Record<string, string> = {},
): string {
  const filled = path.replace(/([\w-]+)\/\{(\w+)\}/, (_part, collection: string) => {
    const id = ids[collection];
    if (id === undefined) throw new Error(`add an id of ${collection}, for the tests of tenant isolation`);
    return `${collection}/${encodeURIComponent(id)}`;
  });
  if (filled.includes('{')) throw new Error(`add ids of ${path}, for the tests of tenant isolation`);
  const parameters = new URLSearchParams(query).toString();
  return parameters === '' ? filled : `${filled}?${parameters}`;
}
