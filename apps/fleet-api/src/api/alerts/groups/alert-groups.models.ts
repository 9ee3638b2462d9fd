import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { nullableInteger, nullableText } from '../../openapi/nullable.ts';

const count = { type: 'integer', minimum: 0 } as const;

/** The number of alerts of each severity. */
class AlertGroupSeveritiesModel {
  @ApiProperty(count) critical!: number;
  @ApiProperty(count) high!: number;
  @ApiProperty(count) medium!: number;
  @ApiProperty(count) low!: number;
  @ApiProperty(count) info!: number;
}

/** See docs/fleet-api.md#alert-groups. */
export class AlertGroupModel {
  @ApiPropertyOptional({ type: 'integer', description: 'With group_by=host, workspace or gpu.' })
  customer_id?: number;
  @ApiPropertyOptional({ ...nullableText, description: 'With group_by=host; null for alerts without one.' })
  hostname?: string | null;
  @ApiPropertyOptional({
    ...nullableInteger,
    description: 'With group_by=workspace; null for alerts without one.',
  })
  workspace_id?: number | null;
  @ApiPropertyOptional({ ...nullableText, description: 'With group_by=gpu; null for alerts without one.' })
  gpu_id?: string | null;
  @ApiPropertyOptional({ format: 'date', description: 'With group_by=day, in UTC.' }) day?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Start of the hour, with group_by=hour.' })
  hour?: string;
  @ApiPropertyOptional({ enum: ALERT_TYPES, description: 'With group_by=type.' }) type?: string;
  @ApiPropertyOptional({ enum: SEVERITIES, description: 'With group_by=severity.' }) severity?: string;
  @ApiPropertyOptional({ enum: ALERT_STATES, description: 'With group_by=state.' }) state?: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of alerts.' }) count!: number;
  @ApiProperty({ type: AlertGroupSeveritiesModel }) by_severity!: AlertGroupSeveritiesModel;
  @ApiProperty({ format: 'date-time' }) first_at!: string;
  @ApiProperty({ format: 'date-time' }) last_at!: string;
}

export class AlertGroupsModel {
  @ApiProperty({ type: [AlertGroupModel], description: 'Most alerts first; days and hours from the newest.' })
  groups!: AlertGroupModel[];
  @ApiProperty({ ...count, description: 'Number of alerts in all groups, also those beyond page_size.' })
  total!: number;
  @ApiProperty({ ...count, description: 'Number of groups, also those beyond page_size.' })
  group_count!: number;
}
