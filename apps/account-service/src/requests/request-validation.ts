import { accountErrors } from '@gpu-observatory/error-envelopes';
import { RequestValidation } from '@gpu-observatory/service-runtime';

/** Validates every query string, and bodies on demand. The message lists every field with a violation. */
export const requestValidation = new RequestValidation({
  errorKind: accountErrors.invalidRequest,
  describe: ({ unknown, messages }) =>
    [...unknown.map((name) => `${name} is unknown; remove it.`), ...messages].join(' '),
});
