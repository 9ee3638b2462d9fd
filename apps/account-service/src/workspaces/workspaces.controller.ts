import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { formatTimestamp, WORKSPACE_ROLES, type WorkspaceRole } from '@gpu-observatory/domain-types';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { type UserCaller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ErrorResponses } from '../requests/error-responses.ts';
import { listWorkspacesOf } from './workspaces.queries.ts';

class WorkspaceResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;
  @ApiProperty()
  name!: string;
  @ApiProperty({ enum: WORKSPACE_ROLES, description: 'Role of the caller.' })
  role!: WorkspaceRole;
  @ApiProperty({ type: 'integer' })
  customer_id!: number;
  @ApiProperty()
  customer_name!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

class WorkspaceListResponse {
  @ApiProperty({ type: [WorkspaceResponse] })
  workspaces!: WorkspaceResponse[];
}

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
    const workspaces = await listWorkspacesOf(this.database, caller.userId);
    return {
      workspaces: workspaces.map((workspace) => ({
        ...workspace,
        created_at: formatTimestamp(workspace.created_at),
      })),
    };
  }
}
