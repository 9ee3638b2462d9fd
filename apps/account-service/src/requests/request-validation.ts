import { RequestValidation } from '@gpu-observatory/service-runtime';
import { accountErrors, echoNames } from '@gpu-observatory/service-runtime/process';

/**
 * Validates every query string and body that a handler declares with a request class. The message lists every field with a
 * violation.
 */
export const requestValidation = new RequestValidation({
  errorKind: accountErrors.invalidRequest,
  describe: ({ unknown, allowed, messages }) => {
    if (unknown.length === 0) return messages.join(' ');
    const accepted = allowed.length === 0 ? 'none' : allowed.join(', ');
    const are = unknown.length === 1 ? 'is' : 'are';
    return [`${echoNames(unknown)} ${are} not accepted. Accepted: ${accepted}.`, ...messages].join(' ');
  },
});
