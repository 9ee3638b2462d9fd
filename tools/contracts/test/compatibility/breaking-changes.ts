import {
  type Operation,
  operationsOf,
  type RawDocument,
  type Schema,
} from '../../src/document/openapi-document.ts';
import { type Shape, shapeOf } from './shape.ts';

/** Restricting a request schema breaks callers, and so does loosening a response schema. */
type Direction = 'request' | 'response';

/** Recursion limit: schemas can reference themselves. */
const MAX_DEPTH = 24;

/**
 * Lists what callers of `before` can rely on and `after` breaks, one sentence each, in the document's order. Additions
 * are compatible: routes, optional parameters, fields, error statuses, enum members in responses.
 */
export function breakingChanges(before: RawDocument, after: RawDocument): string[] {
  const later = new Map(
    operationsOf(after).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return operationsOf(before).flatMap((operation) => {
    const name = `${operation.method} ${operation.path}`;
    const now = later.get(name);
    return now ? operationChanges(name, operation, now) : [`${name} is removed`];
  });

  function operationChanges(name: string, was: Operation, is: Operation): string[] {
    return [
      ...(was.id === is.id ? [] : [`${name} has the operation id ${is.id} instead of ${was.id}`]),
      ...(!was.secured && is.secured ? [`${name} needs a token`] : []),
      ...parameterChanges(name, was, is),
      ...bodyChanges(name, was, is),
      ...responseChanges(name, was, is),
    ];
  }

  function parameterChanges(name: string, was: Operation, is: Operation): string[] {
    const known = was.parameters.flatMap((parameter) => {
      const now = is.parameters.find(
        (candidate) => candidate.name === parameter.name && candidate.in === parameter.in,
      );
      const location = `${name} ${parameter.in} parameter ${parameter.name}`;
      if (!now) return [`${location} is removed`];
      return [
        ...(!parameter.required && now.required ? [`${location} is required`] : []),
        ...schemaChanges(location, parameter.schema, now.schema, 'request'),
      ];
    });
    const added = is.parameters.filter(
      (parameter) =>
        parameter.required &&
        !was.parameters.some(
          (candidate) => candidate.name === parameter.name && candidate.in === parameter.in,
        ),
    );
    return [...known, ...added.map((one) => `${name} ${one.in} parameter ${one.name} is new and required`)];
  }

  function bodyChanges(name: string, was: Operation, is: Operation): string[] {
    if (!was.body) return is.body?.required ? [`${name} body is new and required`] : [];
    if (!is.body) return [`${name} body is removed`];
    return [
      ...(!was.body.required && is.body.required ? [`${name} body is required`] : []),
      ...schemaChanges(`${name} body`, was.body.schema, is.body.schema, 'request'),
    ];
  }

  function responseChanges(name: string, was: Operation, is: Operation): string[] {
    return Object.entries(was.responses).flatMap(([status, response]) => {
      const now = is.responses[status];
      if (!now) return [`${name} ${status} is removed`];
      const headers = Object.keys(response.headers ?? {})
        .filter((header) => !(header in (now.headers ?? {})))
        .map((header) => `${name} ${status} header ${header} is removed`);
      const bodies = Object.entries(response.content ?? {}).flatMap(([type, { schema }]) => {
        const body = now.content?.[type];
        if (!body) return [`${name} ${status} ${type} is removed`];
        return schemaChanges(`${name} ${status}`, schema ?? {}, body.schema ?? {}, 'response');
      });
      return [...headers, ...bodies];
    });
  }

  function schemaChanges(
    location: string,
    was: Schema,
    is: Schema,
    direction: Direction,
    depth = 0,
  ): string[] {
    if (depth > MAX_DEPTH) return [];
    const [old, now] = [shapeOf(before, was), shapeOf(after, is)];
    const at = (member: string) => (depth === 0 ? `${location} ${member}` : `${location}.${member}`);
    const fields = Object.entries(old.properties).flatMap(([name, schema]) => {
      const member = now.properties[name];
      if (!member) return [`${at(name)} is removed`];
      const [wasRequired, isRequired] = [old.required.includes(name), now.required.includes(name)];
      return [
        ...(direction === 'request' && !wasRequired && isRequired ? [`${at(name)} is required`] : []),
        ...(direction === 'response' && wasRequired && !isRequired ? [`${at(name)} is optional`] : []),
        ...schemaChanges(at(name), schema, member, direction, depth + 1),
      ];
    });
    const added = Object.keys(now.properties).filter(
      (name) => direction === 'request' && !(name in old.properties) && now.required.includes(name),
    );
    return [
      ...valueChanges(location, old, now, direction),
      ...fields,
      ...added.map((name) => `${at(name)} is new and required`),
      ...(old.items && now.items
        ? schemaChanges(`${location}[]`, old.items, now.items, direction, depth + 1)
        : []),
    ];
  }
}

function valueChanges(location: string, old: Shape, now: Shape, direction: Direction): string[] {
  const removed = (old.enum ?? []).filter((member) => now.enum && !now.enum.includes(member));
  const isRestricted = now.enum !== undefined && old.enum === undefined;
  return [
    ...(typesAreCompatible(old, now, direction)
      ? []
      : [
          `${location} is ${now.types.join(' or ') || 'anything'} instead of ${old.types.join(' or ') || 'anything'}`,
        ]),
    ...removed.map((member) => `${location} is never ${JSON.stringify(member)}`),
    ...(isRestricted ? [`${location} is one of ${JSON.stringify(now.enum)} only`] : []),
    ...(direction === 'request' ? boundChanges(location, old.keywords, now.keywords) : []),
    ...(direction === 'response' && old.keywords.format !== now.keywords.format
      ? [
          `${location} has the format ${String(now.keywords.format ?? 'none')} instead of ${String(old.keywords.format ?? 'none')}`,
        ]
      : []),
  ];
}

/** Request types may only widen; response types must stay the same. */
function typesAreCompatible(old: Shape, now: Shape, direction: Direction): boolean {
  if (direction === 'response') return old.types.join() === now.types.join();
  return (
    now.types.length === 0 || (old.types.length > 0 && old.types.every((type) => now.types.includes(type)))
  );
}

function boundChanges(
  location: string,
  old: Record<string, unknown>,
  now: Record<string, unknown>,
): string[] {
  return Object.entries(now)
    .filter(([name, bound]) => !isCompatibleBound(name, old[name], bound))
    .map(
      ([name, bound]) => `${location} has ${name} ${String(bound)} instead of ${String(old[name] ?? 'none')}`,
    );
}

function isCompatibleBound(name: string, old: unknown, now: unknown): boolean {
  if (old === now) return true;
  if (name === 'additionalProperties') return now !== false;
  if (name.startsWith('min')) return typeof old === 'number' && Number(now) <= old;
  if (name.startsWith('max')) return typeof old === 'number' && Number(now) >= old;
  return false;
}
