import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { type UserCaller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ErrorResponses } from '../requests/error-responses.ts';
import { WorkspaceListResponse } from './workspaces.dto.ts';
import { listWorkspacesOf } from './workspaces.queries.ts';

/** Lists the workspaces of the caller (`docs/account-service.md#workspaces`). */
@ApiTags('Workspaces')
@ApiBearerAuth('bearer')
@Controller('api/v1/workspaces')
export class WorkspacesController {
  constructor(private readonly database: Database) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'List the workspaces of the caller',
    description: 'Owners and members can create keys in a workspace; viewers can only read.',
  })
  @ApiOkResponse({ type: WorkspaceListResponse, description: 'The workspaces of the caller.' })
  @ErrorResponses('unauthorized')
  async listWorkspaces(
    @Query() _query: NoParameters,
    @CurrentCaller() caller: UserCaller,
  ): Promise<WorkspaceListResponse> {
    return { workspaces: await listWorkspacesOf(this.database, caller.userId) };
  }
}
