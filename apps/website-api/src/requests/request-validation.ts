import { describeUnknown, RequestValidation } from '@gpu-observatory/service-runtime';
import { websiteErrors } from '@gpu-observatory/service-runtime/process';

/** A field of the contact form that clients must omit (docs/website-api.md#contact). */
const HONEYPOT = 'nickname';

/** Validates every query string, and bodies on demand. */
export const requestValidation = new RequestValidation({
  errorKind: websiteErrors.badRequest,
  describe: ({ unknown, allowed, messages }) => {
    if (unknown.length === 0) return messages.join(' ');
    const quoted = unknown.map((name) => JSON.stringify(name));
    return describeUnknown(
      quoted,
      allowed.filter((name) => name !== HONEYPOT),
    );
  },
});
