import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import { DomainError, websiteErrors } from '@gpu-observatory/error-envelopes';
import { unknownProperties } from '@gpu-observatory/service-runtime';

/** Checks what a request brings against its class, and refuses what the class does not name (decisions, section 4). */
export class ParametersPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      // A class without members is how an endpoint says that it takes none.
      forbidUnknownValues: false,
      exceptionFactory: (faults) => refusal(faults.map(explain).join(' ')),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (metatype !== undefined && this.toValidate(metadata) && typeof value === 'object' && value !== null) {
      const unknown = unknownProperties(value, metatype);
      if (unknown.length > 0) throw refusal(unknown.map(explainUnknown).join(' '));
    }
    return super.transform(value, metadata);
  }
}

const parameters = new ParametersPipe();

/**
 * A body checked against its class, for a route that decides who may send one before it looks at it.
 *
 * @throws {DomainError} 400 naming each member at fault
 */
export async function checkedBody<Body extends object>(
  metatype: new () => Body,
  body: unknown,
): Promise<Body> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refusal('Send a JSON object as the body.');
  }
  return parameters.transform(body, { type: 'body', metatype }) as Promise<Body>;
}

const refusal = (detail: string) => new DomainError(websiteErrors.badRequest, detail);

const explainUnknown = (name: string) => `There is no parameter "${name}" here; leave it out.`;

const explain = ({ constraints = {} }: ValidationError): string =>
  Object.values(constraints)
    .map((reason) => `${reason}.`)
    .join(' ');
