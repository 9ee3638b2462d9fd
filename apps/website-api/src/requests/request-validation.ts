import { RequestValidation } from '@gpu-observatory/service-runtime';
import { echoNames, websiteErrors } from '@gpu-observatory/service-runtime/process';

/** A field of the contact form that clients must omit (docs/website-api.md#contact). */
const HONEYPOT = 'nickname';

/** Validates every query string, and bodies on demand. */
export const requestValidation = new RequestValidation({
  errorKind: websiteErrors.badRequest,
  describe: ({ unknown, allowed, messages }) => {
    if (unknown.length === 0) return messages.join(' ');
    const accepted = allowed.filter((name) => name !== HONEYPOT).join(', ') || 'none';
    const are = unknown.length === 1 ? 'is' : 'are';
    return `${echoNames(unknown.map((name) => JSON.stringify(name)))} ${are} not accepted. Accepted: ${accepted}.`;
  },
});
