import { Timestamp } from '../query-parameters/parameters.ts';

/** The query parameters of `GET /gpu-history/{id}`, see docs/fleet-api.md#gpu-history. */
export class GpuHistoryQuery {
  @Timestamp({ description: 'Start of the window; default 24 hours ago.' })
  from?: string;

  @Timestamp({ description: 'End of the window, exclusive; default now.' })
  to?: string;
}
