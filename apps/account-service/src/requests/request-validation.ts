import { type ArgumentMetadata, ValidationPipe, type ValidationError } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import { unknownProperties } from '@gpu-observatory/service-runtime';

/** What the validator found, one sentence a field. */
class Faults extends Error {
  constructor(readonly sentences: string[]) {
    super(sentences.join(' '));
  }
}

class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      transform: true,
      exceptionFactory: (errors) => new Faults(faultsOf(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    const isChecked = metatype !== undefined && this.toValidate(metadata) && isObject(value);
    const unknown = isChecked ? unknownProperties(value, metatype) : [];
    const faults = new Set(unknown.map(unknownField));
    try {
      const checked: unknown = await super.transform(value, metadata);
      if (faults.size === 0) return checked;
    } catch (failure) {
      if (!(failure instanceof Faults)) throw failure;
      for (const sentence of failure.sentences) faults.add(sentence);
    }
    throw new DomainError(accountErrors.invalidRequest, [...faults].join(' '));
  }
}

/**
 * Checks every body and query against its class: what the class does not know is refused, and the answer names each
 * field at fault and what would be right.
 *
 * @throws {DomainError} 400 Invalid Request
 */
export const requestValidation = new RequestValidation();

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unknownField = (name: string) => `${name} is not known here; leave it out.`;

function faultsOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const name = `${path}${property}`;
    const own = Object.entries(constraints).map(([rule, message]) =>
      rule === 'whitelistValidation' ? unknownField(name) : `${path}${message.replace(/\.?$/, '.')}`,
    );
    return [...own, ...faultsOf(children, `${name}.`)];
  });
}

/**
 * The same for a body that a route has to look at before it judges it.
 *
 * @throws {DomainError} 400 Invalid Request
 */
export async function validated<Body extends object>(metatype: new () => Body, body: unknown): Promise<Body> {
  if (!isObject(body)) {
    throw new DomainError(accountErrors.invalidRequest, 'Send a JSON object as the body.');
  }
  return requestValidation.transform(body, { type: 'body', metatype }) as Promise<Body>;
}
