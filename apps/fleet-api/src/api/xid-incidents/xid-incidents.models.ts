import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SEVERITIES } from '@gpu-observatory/domain-types';
import { csvColumnsOf } from '../exports/csv-columns.ts';
import { nullableText } from '../openapi/nullable.ts';
import type { XidGrouping } from './xid-incidents.dto.ts';

class IncidentWorkloadModel {
  @ApiProperty({ description: 'Name of the process, pod or job.' }) name!: string;
  @ApiProperty() description!: string;
  @ApiProperty() usage_category!: string;
}

/** See docs/fleet-api.md#list-xid-incidents. */
export class XidIncidentModel {
  @ApiProperty({ type: 'integer' }) code!: number;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: SEVERITIES }) severity!: string;
  @ApiProperty({ description: 'What to do.' }) action!: string;
  @ApiProperty() gpu_id!: string;
  @ApiProperty() hostname!: string;
  @ApiProperty({ type: 'integer' }) workspace_id!: number;
  @ApiProperty({ ...nullableText, format: 'uuid' }) alert_id!: string | null;
  @ApiProperty({ format: 'date-time' }) first_at!: string;
  @ApiProperty({ format: 'date-time' }) last_at!: string;
  @ApiProperty({ type: 'integer', description: 'Number of XIDs.' }) count!: number;
  @ApiProperty({ description: 'Text of the first XID; empty for one that a metric shows.' }) message!: string;
  @ApiProperty({ type: [IncidentWorkloadModel], description: 'What ran on the GPU, at most ten.' })
  workloads!: IncidentWorkloadModel[];
}

export const INCIDENT_CSV_COLUMNS = csvColumnsOf(XidIncidentModel);

/** See docs/fleet-api.md#list-xid-incidents. */
export class XidIncidentGroupModel {
  @ApiPropertyOptional({ type: 'integer', description: 'With group_by=code.' }) code?: number;
  @ApiPropertyOptional({ description: 'With group_by=code.' }) name?: string;
  @ApiPropertyOptional({ description: 'With group_by=host.' }) hostname?: string;
  @ApiPropertyOptional({ format: 'date', description: 'With group_by=day, in UTC.' }) day?: string;
  @ApiProperty({ type: 'integer' }) incidents!: number;
  @ApiProperty({ type: 'integer', description: 'Number of different GPUs.' }) gpus!: number;
  @ApiProperty({ type: 'integer', description: 'Number of different hosts.' }) hosts!: number;
  @ApiProperty({ format: 'date-time' }) first_at!: string;
  @ApiProperty({ format: 'date-time', description: 'Start of the last incident.' }) last_at!: string;
}

/** The properties that identify a group. */
const KEYS: Record<XidGrouping, string[]> = { code: ['code', 'name'], host: ['hostname'], day: ['day'] };

export function groupCsvColumns(groupBy: XidGrouping): string[] {
  const { [groupBy]: _ownKeys, ...keysOfOthers } = KEYS;
  const absent = Object.values(keysOfOthers).flat();
  return csvColumnsOf(XidIncidentGroupModel).filter((column) => !absent.includes(column));
}

export class XidIncidentListModel {
  @ApiPropertyOptional({ type: [XidIncidentModel], description: 'Newest first; absent with group_by.' })
  incidents?: XidIncidentModel[];
  @ApiPropertyOptional({ type: [XidIncidentGroupModel], description: 'Most incidents first; with group_by.' })
  groups?: XidIncidentGroupModel[];
  @ApiPropertyOptional({ description: 'Absent on the last page, and with group_by.' })
  next_page_token?: string;
}
