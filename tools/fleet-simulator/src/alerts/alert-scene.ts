import type { Gpu, Host } from '../fleet/fleet.ts';
import type { Dice } from '../random.ts';
import type { GpuTelemetry, Load } from '../telemetry/readings.ts';
import type { AlertKind } from './alert-kind.ts';
import { sceneNames } from './scene-names.ts';

/** Where an alert happened and who was there: what its words, its sections and its timeline all tell of. */
export interface Scene {
  at: number;
  host: Host;
  gpu: Gpu | null;
  load: Load | null;
  process: {
    name: string;
    pid: number;
    parentPid: number;
    parent: string;
    commandLine: string;
    directory: string;
  };
  container: { name: string; id: string; image: string; namespace: string; pod: string };
  values: Record<string, string>;
}

export function sceneOf(
  dice: Dice,
  kind: AlertKind,
  at: number,
  host: Host,
  gpu: Gpu | null,
  telemetry: GpuTelemetry | null,
): Scene {
  const load = telemetry?.load(at) ?? null;
  const job = telemetry?.jobs.latest(at);
  const workload = dice.pick(sceneNames.workloads);
  const suffix = () => dice.integer(0x1_0000, 0xf_ffff).toString(16);
  const container = {
    name: workload,
    id: `containerd://${Array.from({ length: 8 }, () => dice.integer(0x1000_0000, 0xffff_ffff).toString(16)).join('')}`,
    image: dice.pick(sceneNames.images),
    namespace: dice.pick(sceneNames.namespaces),
    pod: `${workload}-${suffix()}-${suffix()}`,
  };
  const pid = dice.integer(1_200, 4_100_000);
  const values: Record<string, string> = {
    host: host.hostname,
    gpu: gpu?.gpuId ?? host.hostname,
    model: host.model.name,
    user: dice.pick(sceneNames.users),
    file: dice.pick(sceneNames.files),
    domain: dice.pick(sceneNames.domains),
    ip: `${dice.pick(sceneNames.networks)}.${dice.integer(1, 254)}`,
    port: `${dice.pick(sceneNames.ports)}`,
    component: dice.pick(sceneNames.components),
    percent: `${load && load.utilizationPct > 5 ? Math.round(load.utilizationPct) : dice.integer(61, 99)}`,
    celsius: `${Math.round(load?.temperatureC ?? dice.integer(58, 91))}`,
    watts: `${Math.round(load?.powerDrawW ?? dice.integer(60, 690))}`,
    count: `${dice.integer(3, 48)}`,
    size: `${dice.integer(64, 9_800)}`,
    pid: `${pid}`,
    container: container.name,
    image: container.image,
    namespace: container.namespace,
    pod: container.pod,
  };
  const commandLine =
    kind.commands.length > 0
      ? filled(dice.pick(kind.commands), values)
      : (job?.program.name ?? 'nvidia-persistenced --verbose');
  const name = commandLine.split(' ')[0]!.split('/').at(-1)!;
  values['process'] = name;
  const process = {
    name,
    pid,
    parentPid: dice.chance(0.15) ? 1 : dice.integer(300, pid),
    parent: dice.pick(sceneNames.parents),
    commandLine,
    directory: dice.pick(sceneNames.directories),
  };
  return { at, host, gpu, load, process, container, values };
}

/** Puts the scene's values in place of the names in braces; a name it does not have stays as it is. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces);
}
