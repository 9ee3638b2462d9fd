import { formatTimestamp } from '@gpu-observatory/domain-types';
import type { ApiKeyRow } from './api-keys.queries.ts';
import type { ApiKeyResponse, KeyScopesResponse } from './api-keys.dto.ts';
import { maskedSecret } from './secret.ts';

/**
 * Converts a row to an API key of a response (`docs/account-service.md#api-keys`).
 *
 * @param secret returned in full when it was just created; otherwise masked except for its ending
 */
export function toApiKeyResponse(row: ApiKeyRow, secret?: string): ApiKeyResponse {
  return {
    id: row.id,
    name: row.name,
    key: secret ?? maskedSecret(row.secret_ending),
    description: row.description,
    workspace_id: row.workspace_id,
    workspace_name: row.workspace_name,
    customer_id: row.customer_id,
    is_active: row.is_active,
    expires_at: timestampOrEmpty(row.expires_at),
    last_used_at: timestampOrEmpty(row.last_used_at),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}

export function toKeyScopesResponse({ scopes, read_access }: ApiKeyRow): KeyScopesResponse {
  return { scopes, all_workspaces: read_access === 'customer' };
}

function timestampOrEmpty(instant: Date | null): string {
  return instant === null ? '' : formatTimestamp(instant);
}
