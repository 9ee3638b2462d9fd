import { Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope-filter.ts';

/** The query parameters of `GET /metrics`, see docs/fleet-api.md#fleet-metrics. */
export class MetricsQuery extends ScopeQuery {
  @Timestamp({
    description: 'Start of the window, inclusive; default 90 days before its end. Widened to whole UTC days.',
  })
  from?: string;

  @Timestamp({ description: 'End of the window, exclusive; default now. Widened to whole UTC days.' })
  to?: string;
}
