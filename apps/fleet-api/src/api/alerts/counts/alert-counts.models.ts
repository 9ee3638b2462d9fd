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
  @ApiProperty({ type: [SeverityCount], description: 'From critical to info.' }) severity!: SeverityCount[];
  @ApiProperty({ type: [TypeCount], description: 'Most frequent first.' }) type!: TypeCount[];
  @ApiProperty({ type: [StateCount], description: 'Most frequent first.' }) state!: StateCount[];
}

/** See docs/fleet-api.md#alert-summary. */
export class AlertSummaryModel {
  @ApiProperty() summary!: AlertSummaryColumns;
}

export class SeverityTrendPoint {
  @ApiProperty({ format: 'date-time', description: 'Start of the hour or day in UTC.' }) bucket!: string;
  @ApiProperty({ enum: SEVERITIES }) severity!: string;
  @ApiProperty(count) count!: number;
}

/** See docs/fleet-api.md#alert-trend. */
export class SeverityTrendModel {
  @ApiProperty({ type: [SeverityTrendPoint] }) points!: SeverityTrendPoint[];
}
