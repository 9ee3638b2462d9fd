import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import { ListOf, OneOf, PageSize, PageToken, TextList, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope-filter.ts';

const STATUS_SORTS = ['worst', 'hottest', 'idle', 'name'] as const;
export type StatusSort = (typeof STATUS_SORTS)[number];
export const DEFAULT_STATUS_SORT: StatusSort = 'worst';
const MAX_MODELS = 50;

/** The query parameters that `GET /gpu-status` and `GET /hosts` share. */
export class StatusQuery extends ScopeQuery {
  @Timestamp({ description: 'Start of the window of means and counts; default 24 hours ago.' })
  from?: string;

  @Timestamp({ description: 'End of the window of means and counts, exclusive; default now.' })
  to?: string;

  @ListOf(GPU_HEALTHS, { example: 'critical,missing' })
  health?: string;

  @TextList(MAX_MODELS, { description: `Up to ${MAX_MODELS} GPU models, separated by commas.` })
  model?: string;

  @OneOf(['true', 'false'], {
    description: 'true: mean utilization of the window below 5 %; false: 5 % or above.',
  })
  idle?: string;

  @OneOf(STATUS_SORTS, {
    default: DEFAULT_STATUS_SORT,
    description:
      'worst health, highest newest temperature, or lowest mean utilization first; or by hostname and gpu_id.',
  })
  sort?: StatusSort;

  @PageSize('rows')
  page_size?: string;

  @PageToken()
  page_token?: string;
}
