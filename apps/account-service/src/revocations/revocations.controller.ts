import { Controller, Get, Query } from '@nestjs/common';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import { Database } from '@gpu-observatory/service-runtime';
import { readRevocations } from './revocations.queries.ts';
import { type RevocationsResponse, RevocationsQuery } from './revocations.dto.ts';

/** Revocation feed for the other services, on the internal port (`docs/account-service.md#revocation`). */
@Controller('internal/v1/revocations')
export class RevocationsController {
  constructor(private readonly database: Database) {}

  @Get()
  async listRevocations(@Query() query: RevocationsQuery): Promise<RevocationsResponse> {
    return readRevocations(this.database, query.since === undefined ? null : parseSince(query.since));
  }
}

function parseSince(text: string): Date {
  const since = parseTimestamp(text);
  if (since === null) {
    throw new DomainError(
      accountErrors.invalidRequest,
      'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.',
    );
  }
  return since;
}
