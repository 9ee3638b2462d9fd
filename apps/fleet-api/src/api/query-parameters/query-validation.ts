import type { ArgumentMetadata, Type } from '@nestjs/common';
import { RequestValidation, type Violations } from '@gpu-observatory/service-runtime';
import { DomainError, echo, echoNames, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';

const CACHED_QUERIES_PER_CLASS = 2_000;
/** Maximum length of a query, as JSON, that is cached. */
const MAX_CACHED_LENGTH = 1_000;

/** Caches valid query strings, because dashboards repeat their queries. */
class CachedQueryValidation extends RequestValidation {
  private readonly validQueries = new WeakMap<Type, LRUCache<string, object>>();

  /** Returns the same frozen object for the same query string while it is cached. */
  override async transform(query: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'query' || !this.toValidate(metadata)) return super.transform(query, metadata);
    const cache = this.cacheOf(metadata.metatype as Type);
    const key = JSON.stringify(query);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const valid = Object.freeze((await super.transform(query, metadata)) as object);
    if (key.length <= MAX_CACHED_LENGTH) cache.set(key, valid);
    return valid;
  }

  private cacheOf(requestClass: Type): LRUCache<string, object> {
    let cache = this.validQueries.get(requestClass);
    if (cache === undefined) {
      cache = new LRUCache({ max: CACHED_QUERIES_PER_CLASS });
      this.validQueries.set(requestClass, cache);
    }
    return cache;
  }
}

/** Validates every query string. */
export const queryValidation = new CachedQueryValidation({
  errorKind: fleetErrors.invalidQuery,
  describe: ({ unknown, allowed, messages }: Violations) =>
    unknown.length > 0 ? describeUnknown(unknown, allowed) : messages.join(' '),
});

function describeUnknown(unknown: string[], allowed: string[]): string {
  const are = unknown.length === 1 ? 'is not a parameter' : 'are not parameters';
  const accepted = allowed.length > 0 ? groupFilters(allowed).join(', ') : 'none';
  return `${echoNames(unknown)} ${are} of this endpoint; it takes ${accepted}.`;
}

/** Writes `filter[a][x]`, `filter[a][y]`, `filter[b][x]`, `filter[b][y]` as `filter[a|b][x|y]`. */
function groupFilters(names: string[]): string[] {
  const operatorsOf = new Map<string, string[]>();
  const others: string[] = [];
  for (const name of names) {
    const [, field, operator] = /^filter\[(\w+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (field === undefined || operator === undefined) others.push(name);
    else operatorsOf.set(field, [...(operatorsOf.get(field) ?? []), operator]);
  }
  const fieldsOf = Map.groupBy(operatorsOf.keys(), (field) => operatorsOf.get(field)?.join('|'));
  return [
    ...others,
    ...[...fieldsOf].map(([operators, fields]) => `filter[${fields.join('|')}][${operators}]`),
  ];
}

/**
 * Rejects query strings with escapes that are not UTF-8, such as `%`, `%zz` or a lone surrogate. The parser would keep
 * the whole value undecoded. See docs/services.md#query-strings.
 */
export function rejectUndecodableQueries(server: FastifyInstance): void {
  server.addHook('onRequest', ({ url }, _reply, done) => {
    const name = isDecodable(url) ? undefined : undecodableParameter(url);
    if (name === undefined) return done();
    const message = `${echo(name)} contains an escape that is not UTF-8; encode a percent sign as %25.`;
    done(new DomainError(fleetErrors.invalidQuery, message));
  });
}

/** Returns the name of the first parameter that cannot be decoded; undefined if all can be. */
function undecodableParameter(url: string): string | undefined {
  const [, ...query] = url.split('?');
  const parameter = query
    .join('?')
    .split('&')
    .find((text) => !isDecodable(text));
  return parameter?.split('=')[0];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
