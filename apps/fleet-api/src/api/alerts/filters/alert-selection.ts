import { type AlertState, type Severity } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../../access/access-scope.ts';
import { severityRank, stateRank } from '../../../model/alerts/alert-document.ts';
import { type Filters, selectedMembers, type TextFilter, textFilters } from './alert-filters.ts';
import type { AlertSelectionQuery } from './alert-selection.dto.ts';
import { type SelectedWindow, timeWindow } from './time-window.ts';

/** Which alerts a request is about, within what its caller may see: the same for list, total, summary and trend. */
export interface AlertSelection {
  scope: ScopeFilter;
  window: SelectedWindow;
  /** Ranks and types as they are stored; null where the query leaves them open. */
  severity: number[] | null;
  type: string[] | null;
  state: number[] | null;
  texts: TextFilter[];
}

/** What a query that came before was read as; `queryValidation` gives the same object for the same query. */
const read = new WeakMap<AlertSelectionQuery, AlertSelection>();

/** @throws {DomainError} `invalid_query` */
export function readSelection(query: AlertSelectionQuery): AlertSelection {
  let selection = read.get(query);
  if (selection === undefined) {
    selection = Object.freeze(selectionOf(query));
    read.set(query, selection);
  }
  return selection;
}

function selectionOf(query: AlertSelectionQuery): AlertSelection {
  const filters = { ...query } as Filters;
  const [customerId, workspaceId, apiKeyId] = [query.customer_id, query.workspace_id, query.api_key_id].map(
    id,
  );
  return {
    scope: {
      ...(customerId === undefined ? {} : { customerId }),
      ...(workspaceId === undefined ? {} : { workspaceId }),
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
    },
    window: timeWindow({
      from: query.from,
      to: query.to,
      since: filters['filter[timestamp][gte]'],
      until: filters['filter[timestamp][lte]'],
    }),
    severity: (selectedMembers(filters, 'severity') as Severity[] | null)?.map(severityRank) ?? null,
    type: selectedMembers(filters, 'type'),
    state: (selectedMembers(filters, 'state') as AlertState[] | null)?.map(stateRank) ?? null,
    texts: textFilters(filters),
  };
}

/** Past every id there is, an integer stays one: it is valid and matches nothing. */
function id(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** Texts are compared row by row: they take longer (decisions, section 2, Errors). */
const TEXT_TIMEOUT_MS = 20_000;

/** How a statement over a selection is run: with texts it has too many forms to keep each prepared. */
export function queryOptions({ scope, texts }: AlertSelection) {
  return texts.length === 0
    ? { filter: scope }
    : { filter: scope, timeoutMs: TEXT_TIMEOUT_MS, prepared: false };
}
