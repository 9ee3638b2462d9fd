import type { Severity } from '@gpu-observatory/domain-types';
import type { Host, Owner } from '../fleet/fleet.ts';
import { sessionId } from '../hosts/host-records.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import { canHave, fault } from '../telemetry/faults.ts';
import type { SimulatedFleet } from '../simulated-fleet.ts';
import { rfc3339 } from '../time.ts';
import type { AlertKind, Subject } from './alert-kind.ts';
import type { ScriptedAlert } from '../stories/story.ts';
import type { PlannedAlert } from './alert-plan.ts';
import { fillTemplate, alertContext } from './alert-context.ts';
import { alertKinds } from './kinds/alert-kinds.ts';
import { resourceDetails } from './resource-details.ts';
import { timelineRecords } from './timeline.ts';

const severityRanks: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** Share of alerts in state `ignored`. */
const IGNORED = 0.15;
/** Share of alerts with a timeline. Those of stories always have one. */
const WITH_TIMELINE = 0.3;

/** Share of alerts about a subject that name a GPU. */
const WITH_GPU: Record<Subject, number> = { gpu: 1, host: 0.1, container: 0.2, control_plane: 0 };

/** Returns a function that builds the records of a planned alert: an `alert`, followed for some by its `timeline_event` records. */
export function alertRecords({
  simulation,
  gpus,
  telemetryOf,
}: SimulatedFleet): (plan: PlannedAlert) => string[] {
  const { seed } = simulation;
  const gpusOf = Map.groupBy(gpus, ({ host }) => host.owner.customer_id);

  /** Chooses the GPU of an alert. Alerts with symptoms prefer GPUs that have one now, then GPUs that can have one. */
  const gpuOf = (random: SeededRandom, kind: AlertKind, { at, host }: PlannedAlert) => {
    const { symptoms, subject, withGpu } = kind;
    if (!random.chance(withGpu ? 0.9 : WITH_GPU[subject]) || host.gpus.length === 0) return null;
    if (symptoms) {
      const all = gpusOf.get(host.owner.customer_id)!;
      const faulty = all.filter((gpu) =>
        telemetryOf(gpu)
          .incidents(at)
          .some((one) => one.start <= at && at < one.end && symptoms.includes(one.fault.symptom)),
      );
      if (faulty.length > 0 && random.chance(0.7)) return random.pick(faulty);
      const able = all.filter((gpu) => symptoms.some((symptom) => canHave(gpu, fault('degraded', symptom))));
      if (able.length > 0) return random.pick(able);
    }
    return random.pick(host.gpus);
  };

  return (plan) => {
    const { series, index, at, type, script } = plan;
    const kind = script ? scriptedKind(script) : alertKinds[type];
    const random = new SeededRandom(seed, 'alert', series, index);
    const id = uuidOf(seed, `${series} alert`, index);
    const gpu = script ? script.gpu : gpuOf(random, kind, plan);
    const host = gpu?.host ?? plan.host;
    const telemetry = gpu && telemetryOf(gpu);
    const context = alertContext(random, kind, at, host, telemetry);
    const owner = ownerOf(random, kind, host);
    const variant = random.integer(0, Math.min(kind.titles.length, kind.descriptions.length) - 1);
    const hasSession = random.chance(kind.subject === 'control_plane' ? 0.1 : 0.6);
    const record = {
      kind: 'alert',
      ...owner,
      id,
      title: fillTemplate(kind.titles[variant]!, context.values),
      description: fillTemplate(kind.descriptions[variant]!, context.values),
      type,
      severity: random.weighted(
        severityRanks.map((severity, rank) => [severity, kind.severities[rank]!] as const),
      ),
      state: series === 'history' && !script && random.chance(IGNORED) ? 'ignored' : 'active',
      created_at: rfc3339(at),
      hostname: kind.subject === 'control_plane' && random.chance(0.7) ? null : host.hostname,
      gpu_id: gpu?.gpuId ?? null,
      gpu_model: gpu?.model.name ?? null,
      gpu_serial: gpu?.serialNo || null,
      ...(hasSession && { session_id: sessionId(seed, host, at), host_id: host.hostId }),
      resource_details: resourceDetails(random, kind, context, telemetry),
    };
    const lines = [JSON.stringify(record)];
    if (script || random.chance(WITH_TIMELINE)) {
      lines.push(...timelineRecords(random, script?.steps ?? kind.subject, context, id, owner));
    }
    return lines;
  };
}

/** Returns the kind of the alert's type with the texts of a script. */
function scriptedKind({ type, severity, title, description, command }: ScriptedAlert): AlertKind {
  const kind: AlertKind = alertKinds[type];
  return {
    ...kind,
    severities: severityRanks.map((each) => (each === severity ? 1 : 0)),
    titles: [title],
    descriptions: [description],
    commands: command === undefined ? [] : [command],
  };
}

/** Returns the owner of an alert. Half of the control plane alerts have no workspace, and some agents have no key. */
function ownerOf(random: SeededRandom, { subject }: AlertKind, { owner }: Host): Owner {
  const { customer_id, workspace_id, api_key_id } = owner;
  if (random.chance(subject === 'control_plane' ? 0.5 : 0.02)) {
    return { customer_id, workspace_id: null, api_key_id: null };
  }
  return { customer_id, workspace_id, api_key_id: random.chance(0.2) ? null : api_key_id };
}
