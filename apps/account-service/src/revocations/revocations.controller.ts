import { Controller, Get, Query } from '@nestjs/common';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import { accountErrors, Database, DomainError } from '@gpu-observatory/service-runtime/process';
import type { RevocationPage } from '@gpu-observatory/token-verification';
import { ForServices } from '../internal/service-credential.guard.ts';
import { type FeedPosition, parsePosition, readRevocations } from './revocations.queries.ts';
import { RevocationsQuery } from './revocations.dto.ts';

/** Revocation feed for the other services, on the internal port (`docs/account-service.md#revocation`). */
@ForServices('revocations')
@Controller('internal/v1/revocations')
export class RevocationsController {
  constructor(private readonly database: Database) {}

  @Get()
  async listRevocations(@Query() query: RevocationsQuery): Promise<RevocationPage> {
    return readRevocations(this.database, {
      since: query.since === undefined ? null : parseSince(query.since),
      after: query.after === undefined ? null : parseAfter(query.after),
      compact: query.format === 'compact',
    });
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

function parseAfter(text: string): FeedPosition {
  const after = parsePosition(text);
  if (after === null) {
    throw new DomainError(accountErrors.invalidRequest, 'after must be the `next` of a page.');
  }
  return after;
}
