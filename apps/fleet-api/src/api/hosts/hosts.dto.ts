import { PositiveInteger, Timestamp } from '../query-parameters/parameters.ts';

/** The query parameters of `GET /hosts/{hostname}`, see docs/fleet-api.md#get-a-host. */
export class HostQuery {
  @Timestamp({ description: 'Start of the window of means, counts and jobs; default 24 hours ago.' })
  from?: string;

  @Timestamp({ description: 'End of the window of means, counts and jobs, exclusive; default now.' })
  to?: string;

  @PositiveInteger({ description: 'The customer of the host, for callers with several.' })
  customer_id?: string;
}
