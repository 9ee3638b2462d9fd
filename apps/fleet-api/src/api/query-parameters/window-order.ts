import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';

/** @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window */
export function requireWindowOrder(
  from: { text: string | undefined; ms: number | undefined },
  to: { text: string | undefined; ms: number | undefined },
): void {
  if (from.ms === undefined || to.ms === undefined || from.ms <= to.ms) return;
  throw new DomainError(
    fleetErrors.invalidQuery,
    `from (${echo(from.text ?? '')}) must not be later than to (${echo(to.text ?? '')}).`,
  );
}
