import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { csvColumnsOf } from '../exports/csv-columns.ts';
import { nullableInteger, nullableText } from '../openapi/nullable.ts';

/** See docs/fleet-api.md#list-alerts. */
export class AlertModel {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty() title!: string;
  @ApiProperty() description!: string;
  @ApiProperty({ enum: ALERT_TYPES }) type!: string;
  @ApiProperty({ enum: SEVERITIES }) severity!: string;
  @ApiProperty({ enum: ALERT_STATES }) state!: string;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty(nullableText) hostname!: string | null;
  @ApiProperty(nullableText) gpu_model!: string | null;
  @ApiProperty(nullableText) gpu_serial!: string | null;
  @ApiProperty(nullableInteger) workspace_id!: number | null;
  @ApiProperty(nullableInteger) api_key_id!: number | null;
}

export const ALERT_CSV_COLUMNS = csvColumnsOf(AlertModel);

export class AlertListModel {
  @ApiProperty({ type: [AlertModel] }) alerts!: AlertModel[];
  @ApiPropertyOptional({ description: 'Absent on the last page.' }) next_page_token?: string;
  @ApiProperty({
    ...nullableInteger,
    description:
      'The number of matching alerts. Null on later pages, and where text filters could not count them within 20 s; such a response has no ETag.',
  })
  total_size!: number | null;
}
