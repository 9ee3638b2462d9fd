import { websiteErrors } from '@gpu-observatory/error-envelopes';
import { RequestValidation } from '@gpu-observatory/service-runtime';

/** Validates every query string, and bodies on demand. */
export const requestValidation = new RequestValidation({
  errorKind: websiteErrors.badRequest,
  describe: ({ unknown, messages }) =>
    unknown.length > 0 ? unknown.map((name) => `Unknown parameter "${name}".`).join(' ') : messages.join(' '),
});
