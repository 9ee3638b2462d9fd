import { ApiProperty } from '@nestjs/swagger';
import { nullableInteger } from '../openapi/nullable.ts';

const JOB_KINDS = ['process', 'workload'] as const;

/** See docs/fleet-api.md#job. */
export class JobModel {
  @ApiProperty() gpu_id!: string;
  @ApiProperty({ enum: JOB_KINDS, description: 'A process, or a pod or job whose processes are unknown.' })
  kind!: string;
  @ApiProperty({ ...nullableInteger, description: 'Null for a workload.' }) pid!: number | null;
  @ApiProperty() name!: string;
  @ApiProperty() description!: string;
  @ApiProperty({ description: 'Empty when unclassified.' }) usage_category!: string;
  @ApiProperty({ description: 'Kubernetes namespace; empty when unknown.' }) namespace!: string;
  @ApiProperty({ description: 'Kubernetes pod; empty when unknown.' }) pod!: string;
  @ApiProperty({ description: 'Job of a batch system or training operator; empty when unknown.' })
  job!: string;
  @ApiProperty({ description: 'User or team; empty when unknown.' }) owner!: string;
  @ApiProperty({ format: 'date-time' }) first_seen!: string;
  @ApiProperty({ format: 'date-time' }) last_seen!: string;
  @ApiProperty({ description: 'Whether the newest reports of the GPU have it, and the GPU is not missing.' })
  is_running!: boolean;
}
