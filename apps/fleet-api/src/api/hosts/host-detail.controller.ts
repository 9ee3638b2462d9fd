import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { telemetryWindow } from '../gpus/telemetry-window.ts';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { changingByMinute, ConditionalRequest, type SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { HostQuery } from './host-detail.dto.ts';
import { HostDetailService } from './host-detail.service.ts';
import { HostResponse } from './hosts.models.ts';

/** See docs/fleet-api.md#get-a-host. */
@ApiTags('Hosts')
@Authenticated()
@Controller('api/v1/hosts/:hostname')
export class HostDetailController {
  constructor(private readonly hosts: HostDetailService) {}

  @Get()
  @ApiOperation({
    operationId: 'getHost',
    summary: 'Get a host with its GPUs and jobs',
    description:
      'All GPUs of a host with all reasons for their health, the jobs that run now and ran in the window, alerts by severity, CPU and uptime.',
  })
  @ApiParam({ name: 'hostname', description: 'As returned by the list, percent-encoded.' })
  @ConditionalGet(HostResponse, 'weak')
  @ErrorResponses('notFound')
  getHost(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Param('hostname') hostname: string,
    @Query() query: HostQuery,
  ): Promise<SentBody> {
    const window = telemetryWindow(query.from, query.to);
    return request.send(
      changingByMinute(async () => {
        const found = await this.hosts.find(access, parseScopeFilter(query), hostname, window);
        if (found === null)
          throw new DomainError(
            fleetErrors.notFound,
            `There is no host ${echo(hostname)} with a GPU; GET /hosts lists all hosts.`,
          );
        return found;
      }),
    );
  }
}
