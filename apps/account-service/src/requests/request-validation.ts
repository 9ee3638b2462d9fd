import { accountErrors } from '@gpu-observatory/error-envelopes';
import { RequestValidation } from '@gpu-observatory/service-runtime';

/** Validates every query string, and bodies on demand. The message lists every field with a violation. */
export const requestValidation = new RequestValidation({
  errorKind: accountErrors.invalidRequest,
  describe: ({ unknown, allowed, messages }) => {
    const accepted = allowed.length === 0 ? 'none' : allowed.join(', ');
    return [...unknown.map((name) => `${name} is not accepted. Accepted: ${accepted}.`), ...messages].join(
      ' ',
    );
  },
});
