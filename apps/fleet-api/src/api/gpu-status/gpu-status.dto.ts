import { NonEmptyText } from '../query-parameters/parameters.ts';
import { StatusQuery } from './status-query.dto.ts';

/** The query parameters of `GET /gpu-status`, see docs/fleet-api.md#list-gpu-status. */
export class GpuStatusQuery extends StatusQuery {
  @NonEmptyText({ description: 'Only GPUs of this host.' })
  hostname?: string;
}
