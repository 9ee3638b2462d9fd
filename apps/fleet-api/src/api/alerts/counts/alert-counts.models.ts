import { ApiProperty } from '@nestjs/swagger';
import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';

const count = { type: 'integer', minimum: 1 } as const;

class SeverityCount {
  @ApiProperty({ enum: SEVERITIES }) value!: string;
  @ApiProperty(count) count!: number;
}

class TypeCount {
  @ApiProperty({ enum: ALERT_TYPES }) value!: string;
  @ApiProperty(count) count!: number;
}

class StateCount {
  @ApiProperty({ enum: ALERT_STATES }) value!: string;
  @ApiProperty(count) count!: number;
}

class AlertSummaryColumns {
  @ApiProperty({ type: [SeverityCount], description: 'By rank.' }) severity!: SeverityCount[];
  @ApiProperty({ type: [TypeCount], description: 'The most frequent first.' }) type!: TypeCount[];
  @ApiProperty({ type: [StateCount], description: 'The most frequent first.' }) state!: StateCount[];
}

/** OpenAPI's picture of the summary (contract 2.7). */
export class AlertSummaryModel {
  @ApiProperty() summary!: AlertSummaryColumns;
}

class SeverityTrendPoint {
  @ApiProperty({ format: 'date-time', description: 'Begin of the hour or day, UTC.' }) bucket!: string;
  @ApiProperty({ enum: SEVERITIES }) severity!: string;
  @ApiProperty(count) count!: number;
}

/** OpenAPI's picture of the trend (contract 2.7). */
export class SeverityTrendModel {
  @ApiProperty({ type: [SeverityTrendPoint] }) points!: SeverityTrendPoint[];
}
