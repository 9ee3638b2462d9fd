import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { DomainError, type ErrorKind } from '../errors/domain-error.ts';

/** Violations in the query string or the body of a request. */
export interface Violations {
  /** Names that the request class does not have. */
  unknown: string[];
  /** All names of the request class, in declaration order. */
  allowed: string[];
  /** One sentence per invalid field: that of the first failed rule, in the order of the decorators. */
  messages: string[];
  /** The same sentences by field. */
  messageByField: ReadonlyMap<string, string>;
}

/** A valid request, or what is wrong with it. */
export type Checked<Request> =
  { request: Request; violations?: undefined } | { request?: undefined; violations: Violations };

export interface RequestValidationOptions {
  errorKind: ErrorKind;
  /** Formats the message of the error response. */
  describe(violations: Violations): string;
  /** Number of valid query strings to cache per request class. None by default: query strings may contain secrets. */
  cachedQueries?: number;
}

/** Request class of a route that takes no parameters. */
export class NoParameters {}

/** Longest query string, as JSON, that is cached. */
const MAX_CACHED_LENGTH = 1_000;

/**
 * Validates query strings and bodies against their request class. A name that the class does not have is a violation
 * like an invalid value. Values without a request class, such as a body of type `unknown`, pass unchanged.
 */
export class RequestValidation implements PipeTransform {
  private readonly validQueries = new WeakMap<Type, LRUCache<string, object>>();

  constructor(private readonly options: RequestValidationOptions) {}

  /** @throws {DomainError} of the service's own kind, with a message about all violations */
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (!isRequestClass(metatype)) return value;
    if (type === 'body') return this.validateBody(metatype, value);
    return type === 'query' ? this.validateQuery(metatype, value as object) : value;
  }

  /**
   * Validates a body on demand, for a route that does something else first.
   *
   * @throws {DomainError} as `transform`
   */
  async validateBody<Body extends object>(requestClass: Type<Body>, body: unknown): Promise<Body> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new DomainError(this.options.errorKind, 'Send a JSON object as the body.');
    }
    return this.validate(requestClass, body);
  }

  /** Returns the error of a request with these violations. */
  errorOf(violations: Violations): DomainError {
    return new DomainError(this.options.errorKind, this.options.describe(violations));
  }

  /** Returns the same frozen object for the same query string while it is cached. */
  private async validateQuery(requestClass: Type<object>, query: object): Promise<object> {
    const cache = this.cacheOf(requestClass);
    if (cache === undefined) return this.validate(requestClass, query);
    const key = JSON.stringify(query);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const valid = Object.freeze(await this.validate(requestClass, query));
    if (key.length <= MAX_CACHED_LENGTH) cache.set(key, valid);
    return valid;
  }

  private cacheOf(requestClass: Type): LRUCache<string, object> | undefined {
    const { cachedQueries } = this.options;
    if (cachedQueries === undefined) return undefined;
    let cache = this.validQueries.get(requestClass);
    if (cache === undefined) {
      cache = new LRUCache({ max: cachedQueries });
      this.validQueries.set(requestClass, cache);
    }
    return cache;
  }

  private async validate<Request extends object>(
    requestClass: Type<Request>,
    value: object,
  ): Promise<Request> {
    const { request, violations } = await this.check(requestClass, value);
    if (violations) throw this.errorOf(violations);
    return request;
  }

  /** Validates fields and returns the violations, for a caller that reports them by field. */
  async check<Request extends object>(requestClass: Type<Request>, value: object): Promise<Checked<Request>> {
    const allowed = propertiesOf(requestClass);
    // class-transformer silently drops names that objects inherit, such as toString, so they are found here.
    const unknown = Object.keys(value).filter((name) => !allowed.includes(name));
    const knownFields = Object.entries(value).filter(([name]) => allowed.includes(name));
    const request = plainToInstance(requestClass, Object.fromEntries(knownFields));
    const errors = await validate(request, { forbidUnknownValues: false });
    if (unknown.length === 0 && errors.length === 0) return { request };
    const messageByField = new Map(
      errors.map(({ property, constraints = {} }) => [property, sentence(firstMessage(constraints))]),
    );
    return { violations: { unknown, allowed, messages: [...messageByField.values()], messageByField } };
  }
}

/** Returns the message of the topmost decorator. Decorators run from the bottom up, so its message is the last one. */
const firstMessage = (constraints: Record<string, string>) => Object.values(constraints).at(-1) ?? '';

/** TypeScript emits `Object` and the like for parameters whose type is not a class. */
function isRequestClass(metatype: Type | undefined): metatype is Type<object> {
  return metatype !== undefined && ![String, Number, Boolean, Array, Object].includes(metatype as never);
}

function propertiesOf(requestClass: Type): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

const sentence = (message: string) => (message.endsWith('.') ? message : `${message}.`);
