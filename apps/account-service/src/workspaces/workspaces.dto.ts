import { ApiProperty } from '@nestjs/swagger';
import { WORKSPACE_ROLES, type WorkspaceRole } from '@gpu-observatory/domain-types';

export class WorkspaceResponse {
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
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;
}

export class WorkspaceListResponse {
  @ApiProperty({ type: [WorkspaceResponse] })
  workspaces!: WorkspaceResponse[];
}
