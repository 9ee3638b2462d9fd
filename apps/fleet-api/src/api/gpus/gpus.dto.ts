import { OneOf, PositiveInteger, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope-filter.ts';

const MAX_GPU_ROWS = 100_000;

/** The query parameters of `GET /gpus`, see docs/fleet-api.md#list-gpus. */
export class GpusQuery extends ScopeQuery {
  @Timestamp({ description: 'Start of the telemetry window; default 24 hours ago.' })
  from?: string;

  @Timestamp({ description: 'End of the telemetry window, exclusive; default now.' })
  to?: string;

  @OneOf(['full', 'basic'], { default: 'full', description: 'basic omits utilization_series.' })
  view?: string;

  @PositiveInteger({ max: MAX_GPU_ROWS, description: 'Maximum number of rows; default all.' })
  page_size?: string;
}
