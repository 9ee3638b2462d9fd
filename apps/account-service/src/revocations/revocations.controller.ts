import { Controller, Get, Query } from '@nestjs/common';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import { accountErrors, Database, DomainError } from '@gpu-observatory/service-runtime/process';
import type { RevocationPage } from '@gpu-observatory/token-verification';
import { ForServices } from '../internal/service-credential.guard.ts';
import { parsePosition, readRevocations } from './revocations.queries.ts';
import { RevocationsQuery } from './revocations.dto.ts';

const INVALID_SINCE = 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.';
const INVALID_AFTER = 'after must be the `next` of a page.';

/** Revocation feed for the other services, on the internal port (`docs/account-service.md#revocation`). */
@ForServices('revocations')
@Controller('internal/v1/revocations')
export class RevocationsController {
  constructor(private readonly database: Database) {}

  @Get()
  async listRevocations(@Query() query: RevocationsQuery): Promise<RevocationPage> {
    const { since, after, format } = query;
    return readRevocations(this.database, {
      since: since === undefined ? null : (parseTimestamp(since) ?? reject(INVALID_SINCE)),
      after: after === undefined ? null : (parsePosition(after) ?? reject(INVALID_AFTER)),
      compact: format === 'compact',
    });
  }
}

function reject(message: string): never {
  throw new DomainError(accountErrors.invalidRequest, message);
}
