import { Controller, Get, Header } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { formatTimestamp, WORKSPACE_ROLES, type WorkspaceRole } from '@gpu-observatory/domain-types';
import { Database } from '@gpu-observatory/service-runtime';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { ErrorResponses } from '../requests/error-responses.ts';
import { listWorkspacesOf } from './workspaces.queries.ts';

class WorkspaceAnswer {
  @ApiProperty({ type: 'integer' })
  id!: number;
  @ApiProperty()
  name!: string;
  @ApiProperty({ enum: WORKSPACE_ROLES, description: 'What the caller is there.' })
  role!: WorkspaceRole;
  @ApiProperty({ type: 'integer' })
  customer_id!: number;
  @ApiProperty()
  customer_name!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

class WorkspacesAnswer {
  @ApiProperty({ type: [WorkspaceAnswer] })
  workspaces!: WorkspaceAnswer[];
}

/** The caller's workspaces (decisions, section 3). */
@ApiTags('workspaces')
@ApiBearerAuth('bearer')
@Controller('api/v1/workspaces')
export class WorkspacesController {
  constructor(private readonly database: Database) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The workspaces the caller belongs to' })
  @ApiOkResponse({ type: WorkspacesAnswer, description: 'The caller’s workspaces.' })
  @ErrorResponses('unauthorized')
  async listWorkspaces(@CurrentCaller() caller: Caller): Promise<WorkspacesAnswer> {
    const workspaces = await listWorkspacesOf(this.database, caller.userId);
    return {
      workspaces: workspaces.map((workspace) => ({
        ...workspace,
        created_at: formatTimestamp(workspace.created_at),
      })),
    };
  }
}
