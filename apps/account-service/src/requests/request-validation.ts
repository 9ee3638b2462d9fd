import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { accountFailures, DomainError } from '@gpu-observatory/error-envelopes';

/**
 * Checks every body and query against its class: what the class does not know is refused, and the answer names each
 * field at fault and what would be right.
 *
 * @throws {DomainError} 400 Invalid Request
 */
export const requestValidation = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  transform: true,
  exceptionFactory: (errors) => new DomainError(accountFailures.invalidRequest, faultsOf(errors).join(' ')),
});

function faultsOf(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const name = `${path}${property}`;
    const own = Object.entries(constraints).map(([rule, message]) =>
      rule === 'whitelistValidation'
        ? `${name} is not known here; leave it out.`
        : `${path}${message.replace(/\.?$/, '.')}`,
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError(accountFailures.invalidRequest, 'Send a JSON object as the body.');
  }
  return requestValidation.transform(body, { type: 'body', metatype }) as Promise<Body>;
}
