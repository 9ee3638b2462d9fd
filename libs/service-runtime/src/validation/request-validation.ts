import { type ArgumentMetadata, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { DomainError, type ErrorKind } from '../errors/domain-error.ts';
import { echoNames } from '../errors/echo.ts';

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

interface RequestValidationOptions {
  errorKind: ErrorKind;
  /** Formats the message of the error response. */
  describe(violations: Violations): string;
}

/** Request class of a route that takes no parameters. */
export class NoParameters {}

/** A query string or body has violations. */
export class InvalidRequest extends DomainError {
  constructor(
    { errorKind, describe }: RequestValidationOptions,
    readonly violations: Violations,
  ) {
    super(errorKind, describe(violations));
  }
}

/**
 * `ValidationPipe` of Nest with the errors of a service. A name that the request class does not have is a violation like an
 * invalid value. Values without a request class, such as a body of type `unknown`, pass unchanged.
 */
export class RequestValidation extends ValidationPipe {
  constructor(private readonly options: RequestValidationOptions) {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validationError: { target: true },
      exceptionFactory: (errors: ValidationError[]) => new InvalidRequest(options, violationsOf(errors)),
    });
  }

  /** @throws {DomainError} of the service's own kind, with a message about all violations */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!this.toValidate(metadata)) return value;
    // Nest validates another body as an empty object.
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new DomainError(this.options.errorKind, 'Send a JSON object as the body.');
    }
    // Nest and class-transformer silently drop names that every object inherits, such as toString.
    const names = Object.keys(value);
    if (names.some((name) => name in Object.prototype)) {
      const allowed = propertiesOf(metadata.metatype as Type);
      throw new InvalidRequest(this.options, {
        unknown: names.filter((name) => !allowed.includes(name)),
        allowed,
        messages: [],
        messageByField: new Map(),
      });
    }
    return super.transform(value, metadata);
  }

  /**
   * Validates a body on demand, for a route that does something else first.
   *
   * @throws {DomainError} as `transform`
   */
  async validateBody<Body extends object>(requestClass: Type<Body>, body: unknown): Promise<Body> {
    return (await this.transform(body, { type: 'body', metatype: requestClass })) as Body;
  }
}

function violationsOf(errors: ValidationError[]): Violations {
  const isUnknown = ({ constraints }: ValidationError) => constraints?.whitelistValidation !== undefined;
  const messageByField = new Map(
    errors
      .filter((error) => !isUnknown(error))
      .map(({ property, constraints = {} }) => [property, sentence(firstMessage(constraints))]),
  );
  return {
    unknown: errors.filter(isUnknown).map(({ property }) => property),
    allowed: propertiesOf(errors[0]?.target?.constructor as Type),
    messages: [...messageByField.values()],
    messageByField,
  };
}

/** Describes unknown names with the accepted ones, such as `b is not accepted. Accepted: a.` */
export function describeUnknown(unknown: string[], allowed: string[]): string {
  const are = unknown.length === 1 ? 'is' : 'are';
  return `${echoNames(unknown)} ${are} not accepted. Accepted: ${allowed.join(', ') || 'none'}.`;
}

/** Returns the message of the topmost decorator. Decorators run from the bottom up, so its message is the last one. */
const firstMessage = (constraints: Record<string, string>) => Object.values(constraints).at(-1) ?? '';

function propertiesOf(requestClass: Type): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

const sentence = (message: string) => (message.endsWith('.') ? message : `${message}.`);
