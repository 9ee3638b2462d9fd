import { websiteErrors } from '@gpu-observatory/error-envelopes';
import { RequestValidation } from '@gpu-observatory/service-runtime';

/** A field of the contact form that clients must omit (docs/website-api.md#contact). */
const HONEYPOT = 'nickname';

/** Validates every query string, and bodies on demand. */
export const requestValidation = new RequestValidation({
  errorKind: websiteErrors.badRequest,
  describe: ({ unknown, allowed, messages }) => {
    if (unknown.length === 0) return messages.join(' ');
    const accepted = allowed.filter((name) => name !== HONEYPOT).join(', ') || 'none';
    return unknown.map((name) => `"${name}" is not accepted. Accepted: ${accepted}.`).join(' ');
  },
});
