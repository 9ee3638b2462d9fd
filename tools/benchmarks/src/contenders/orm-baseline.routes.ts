import { ALERT_STATES, DAY_MS, MINUTE_MS, SEVERITIES } from '@gpu-observatory/domain-types';
import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import { DataSource, In, MoreThanOrEqual } from 'typeorm';
import {
  type Alert,
  AlertDetailEntity,
  AlertEntity,
  GpuDayEntity,
  GpuEntity,
  TimelineEventEntity,
} from './orm-baseline.entities.ts';

const HALF_HOUR_MS = 30 * MINUTE_MS;

interface Caller {
  customerIds: number[];
}

function toItem(alert: Alert) {
  return {
    id: alert.id,
    title: alert.title,
    description: alert.description,
    type: alert.type,
    severity: SEVERITIES[alert.severity],
    state: ALERT_STATES[alert.state],
    created_at: alert.created_at.toISOString(),
    hostname: alert.hostname,
    gpu_model: 'NVIDIA H100 80GB HBM3',
    gpu_serial: null,
    workspace_id: alert.workspace_id,
    api_key_id: alert.api_key_id,
  };
}

export class AlertRoutes {
  private readonly source: DataSource;

  constructor(source: DataSource) {
    this.source = source;
  }

  async list({ customerIds }: Caller, size: string, total: string | undefined) {
    const alerts = this.source.getRepository(AlertEntity);
    const where = { customer_id: In(customerIds) };
    const page = { where, order: { created_at: 'DESC', id: 'ASC' }, take: Number(size) } as const;
    if (total === undefined) return { alerts: (await alerts.find(page)).map(toItem) };
    const [found, total_size] = await alerts.findAndCount(page);
    return { alerts: found.map(toItem), total_size };
  }

  async detail({ customerIds }: Caller, id: string) {
    const alert = await this.source
      .getRepository(AlertEntity)
      .findOneByOrFail({ customer_id: In(customerIds), id });
    const detail = await this.source
      .getRepository(AlertDetailEntity)
      .findOneByOrFail({ customer_id: alert.customer_id, alert_id: id });
    return { alert: { ...toItem(alert), resource_details: JSON.parse(detail.resource_details) as unknown } };
  }

  async timeline({ customerIds }: Caller, id: string) {
    const alert = await this.source
      .getRepository(AlertEntity)
      .findOneByOrFail({ customer_id: In(customerIds), id });
    const events = await this.source
      .getRepository(TimelineEventEntity)
      .find({ where: { customer_id: alert.customer_id, alert_id: id }, order: { ts: 'ASC', digest: 'ASC' } });
    return { timeline_events: events.map(({ doc }) => JSON.parse(doc) as unknown) };
  }
}
Controller('alerts')(AlertRoutes);
Inject(DataSource)(AlertRoutes, undefined, 0);
route(AlertRoutes, 'list', '', [Req(), Query('page_size'), Query('total')]);
route(AlertRoutes, 'detail', ':id', [Req(), Param('id')]);
route(AlertRoutes, 'timeline', ':id/timeline', [Req(), Param('id')]);

export class GpuRoutes {
  private readonly source: DataSource;

  constructor(source: DataSource) {
    this.source = source;
  }

  async list({ customerIds }: Caller, size: string, from: string, view: string) {
    const gpus = await this.source.getRepository(GpuEntity).find({
      where: { customer_id: In(customerIds) },
      order: { hostname: 'ASC', gpu_id: 'ASC' },
      take: Number(size),
    });
    const fromMs = Date.parse(from);
    const days = await this.source.getRepository(GpuDayEntity).find({
      where: {
        customer_id: In(customerIds),
        gpu_id: In(gpus.map(({ gpu_id }) => gpu_id)),
        day: MoreThanOrEqual(new Date(Math.floor(fromMs / DAY_MS) * DAY_MS)),
      },
      order: { day: 'ASC' },
    });
    const daysByGpu = Map.groupBy(days, ({ gpu_id }) => gpu_id);
    return {
      gpus: gpus.map(({ customer_id: _customer, ...gpu }) => {
        const halfHours = (daysByGpu.get(gpu.gpu_id) ?? []).flatMap((day) =>
          day.utilization_sum
            .map((sum, n) => ({
              at: day.day.getTime() + n * HALF_HOUR_MS,
              utilization: sum / (day.utilization_n[n] as number),
              temperature: (day.temperature_sum[n] as number) / (day.temperature_n[n] as number),
            }))
            .filter(({ at }) => at >= fromMs && at < fromMs + DAY_MS),
        );
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
        return {
          ...gpu,
          utilization_pct: mean(halfHours.map(({ utilization }) => utilization)),
          temperature_c: mean(halfHours.map(({ temperature }) => temperature)),
          ...(view === 'full' ? { utilization_series: halfHours.map(({ utilization }) => utilization) } : {}),
        };
      }),
    };
  }
}
Controller('gpus')(GpuRoutes);
Inject(DataSource)(GpuRoutes, undefined, 0);
route(GpuRoutes, 'list', '', [Req(), Query('page_size'), Query('from'), Query('view')]);

/** Applies `@Get(path)` and the parameter decorators: Node runs this file directly and has no decorator syntax. */
function route<Routes>(
  routes: new (source: DataSource) => Routes,
  method: keyof Routes & string,
  path: string,
  parameters: ParameterDecorator[],
): void {
  const prototype = routes.prototype as object;
  parameters.forEach((decorate, index) => decorate(prototype, method, index));
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method) as PropertyDescriptor;
  Get(path)(prototype, method, descriptor);
}
