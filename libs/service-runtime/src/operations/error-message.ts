import { ConfigurationError } from '../config/settings.ts';
import { DependencyUnavailable } from '../errors/domain-error.ts';
import { OperationError } from './operation-error.ts';

/** Formats an error for an operator: the message of an expected error, the stack of any other. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigurationError || error instanceof OperationError) return error.message;
  if (error instanceof DependencyUnavailable) {
    return `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}`;
  }
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE' && syscall === 'listen') {
    return `port ${port} is in use: stop the process that uses it, or change PORT or MANAGEMENT_PORT`;
  }
  return error.stack ?? error.message;
}
