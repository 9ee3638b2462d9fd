import type { Severity } from '@gpu-observatory/domain-types';
import type { Fleet, Gpu, Host, Owner } from '../fleet/fleet.ts';
import { sessionId } from '../hosts/host-records.ts';
import type { Simulation } from '../options.ts';
import { Dice, uuidOf } from '../random.ts';
import { canShow, type FaultSign } from '../telemetry/faults.ts';
import type { IncidentCalendar } from '../telemetry/incidents.ts';
import { GpuTelemetry } from '../telemetry/readings.ts';
import { rfc3339 } from '../time.ts';
import type { AlertKind } from './alert-kind.ts';
import { alertId, type PlannedAlert } from './alert-plan.ts';
import { filled, sceneOf } from './alert-scene.ts';
import { alertKinds } from './kinds/alert-kinds.ts';
import { resourceDetails } from './resource-details.ts';
import { timelineRecords } from './timeline.ts';

const severityRanks: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** Share of alerts that somebody has put aside. */
const IGNORED = 0.15;
/** Share of alerts with a timeline; every step of an attack has one. */
const WITH_TIMELINE = 0.3;

/** Tells planned alerts: an `alert` record and, for some, its `timeline_event` records after it. */
export class AlertTeller {
  readonly #simulation: Simulation;
  readonly #calendar: IncidentCalendar;
  readonly #telemetry = new Map<Gpu, GpuTelemetry>();
  readonly #gpusOf: Map<number, Gpu[]>;

  constructor(simulation: Simulation, fleet: Fleet, calendar: IncidentCalendar) {
    this.#simulation = simulation;
    this.#calendar = calendar;
    this.#gpusOf = Map.groupBy(fleet.gpus, (gpu) => gpu.host.owner.customer_id);
  }

  tell(plan: PlannedAlert): string[] {
    const { seed } = this.#simulation;
    const { series, index, at, type, attack } = plan;
    const kind = alertKinds[type];
    const dice = new Dice(seed, 'alert', series, index);
    const id = alertId(this.#simulation, plan);
    const gpu = this.#gpuOf(dice, kind, plan);
    const host = gpu?.host ?? plan.host;
    const telemetry = gpu && this.#telemetryOf(gpu);
    const scene = sceneOf(dice, kind, at, host, gpu, telemetry);
    const owner = ownerOf(dice, kind, host);
    const words = dice.integer(0, Math.min(kind.titles.length, kind.descriptions.length) - 1);
    const hasSession = attack !== null || dice.chance(kind.subject === 'control_plane' ? 0.1 : 0.6);
    const record = {
      kind: 'alert',
      ...owner,
      id,
      title: filled(kind.titles[words]!, scene.values),
      description: filled(kind.descriptions[words]!, scene.values),
      type,
      severity: dice.weighted(
        severityRanks.map((severity, rank) => [severity, kind.severities[rank]!] as const),
      ),
      state: series === 'history' && dice.chance(IGNORED) ? 'ignored' : 'active',
      created_at: rfc3339(at),
      hostname: kind.subject === 'control_plane' && dice.chance(0.7) ? null : host.hostname,
      gpu_id: gpu?.gpuId ?? null,
      gpu_model: gpu?.model.name ?? null,
      gpu_serial: gpu?.serialNo || null,
      ...(hasSession ? this.#session(host, plan) : {}),
      resource_details: resourceDetails(dice, kind, scene, telemetry),
    };
    const lines = [JSON.stringify(record)];
    if (attack !== null || dice.chance(WITH_TIMELINE)) {
      lines.push(...timelineRecords(dice, kind.subject, scene, id, owner));
    }
    return lines;
  }

  /** Alerts about faults are told of GPUs that have them, or else of such as can have them. */
  #gpuOf(dice: Dice, kind: AlertKind, { at, host, attack }: PlannedAlert): Gpu | null {
    const { signs, subject, sections } = kind;
    if (subject !== 'gpu' && !sections?.includes('gpu_details') && !dice.chance(0.05)) return null;
    if (subject === 'control_plane' || host.gpus.length === 0) return null;
    if (signs && attack === null) {
      const all = this.#gpusOf.get(host.owner.customer_id)!;
      const faulty = all.filter((gpu) => this.#hasSign(gpu, signs, at));
      if (faulty.length > 0 && dice.chance(0.7)) return dice.pick(faulty);
      const able = all.filter((gpu) => signs.some((sign) => canShow(gpu, { health: 'degraded', sign })));
      if (able.length > 0) return dice.pick(able);
    }
    return dice.pick(host.gpus);
  }

  #hasSign(gpu: Gpu, signs: readonly FaultSign[], at: number): boolean {
    return this.#calendar
      .of(gpu, at)
      .some(({ fault, start, end }) => start <= at && at < end && signs.includes(fault.sign));
  }

  #telemetryOf(gpu: Gpu): GpuTelemetry {
    const known = this.#telemetry.get(gpu);
    if (known) return known;
    const telemetry = new GpuTelemetry(this.#simulation.seed, gpu, this.#calendar);
    this.#telemetry.set(gpu, telemetry);
    return telemetry;
  }

  /** An attack lies within a session of its own. */
  #session(host: Host, { at, attack }: PlannedAlert): { session_id: string; host_id: string } {
    const { seed } = this.#simulation;
    const session = attack === null ? sessionId(seed, host, at) : uuidOf(seed, 'session of attack', attack);
    return { session_id: session, host_id: host.hostId };
  }
}

/** The control plane belongs to no workspace more often than not, and not every alert comes from an agent with a key. */
function ownerOf(dice: Dice, { subject }: AlertKind, { owner }: Host): Owner {
  const { customer_id, workspace_id, api_key_id } = owner;
  if (dice.chance(subject === 'control_plane' ? 0.5 : 0.02)) {
    return { customer_id, workspace_id: null, api_key_id: null };
  }
  return { customer_id, workspace_id, api_key_id: dice.chance(0.2) ? null : api_key_id };
}
