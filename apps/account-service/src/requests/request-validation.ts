import { describeUnknown, RequestValidation } from '@gpu-observatory/service-runtime';
import { accountErrors } from '@gpu-observatory/service-runtime/process';

/**
 * Validates every query string and body that a handler declares with a request class. The message lists every field with a
 * violation.
 */
export const requestValidation = new RequestValidation({
  errorKind: accountErrors.invalidRequest,
  describe: ({ unknown, allowed, messages }) =>
    [...(unknown.length > 0 ? [describeUnknown(unknown, allowed)] : []), ...messages].join(' '),
});
