import type { Host } from '../fleet/fleet.ts';
import type { SeededRandom } from '../random.ts';
import type { GpuTelemetry } from '../telemetry/readings.ts';
import type { AlertKind } from './alert-kind.ts';
import { sampleNames } from './sample-names.ts';

/** Host, process and container of one alert. Its texts, detail sections and timeline all use the same values. */
export type AlertContext = ReturnType<typeof alertContext>;

export function alertContext(
  random: SeededRandom,
  kind: AlertKind,
  at: number,
  host: Host,
  telemetry: GpuTelemetry | null,
) {
  const load = telemetry?.load(at) ?? null;
  const job = telemetry?.jobs.latest(at);
  const workload = random.pick(sampleNames.workloads);
  const suffix = () => random.integer(0x1_0000, 0xf_ffff).toString(16);
  const container = {
    name: workload,
    id: `containerd://${Array.from({ length: 8 }, () => random.integer(0x1000_0000, 0xffff_ffff).toString(16)).join('')}`,
    image: random.pick(sampleNames.images),
    namespace: random.pick(sampleNames.namespaces),
    pod: `${workload}-${suffix()}-${suffix()}`,
  };
  const pid = random.integer(1_200, 4_100_000);
  /** Replacements for the names in braces of the templates. */
  const values: Record<string, string> = {
    host: host.hostname,
    gpu: telemetry?.gpu.gpuId ?? host.hostname,
    model: host.model.name,
    user: random.pick(sampleNames.users),
    file: random.pick(sampleNames.files),
    domain: random.pick(sampleNames.domains),
    ip: `${random.pick(sampleNames.networks)}.${random.integer(1, 254)}`,
    port: `${random.pick(sampleNames.ports)}`,
    component: random.pick(sampleNames.components),
    percent: `${load && load.utilizationPct > 5 ? Math.round(load.utilizationPct) : random.integer(61, 99)}`,
    celsius: `${Math.round(load?.temperatureC ?? random.integer(58, 91))}`,
    watts: `${Math.round(load?.powerDrawW ?? random.integer(60, 690))}`,
    count: `${random.integer(3, 48)}`,
    size: `${random.integer(64, 9_800)}`,
    pid: `${pid}`,
    container: container.name,
    image: container.image,
    namespace: container.namespace,
    pod: container.pod,
  };
  const command = random.pick<string | undefined>(kind.commands ?? []) ?? job?.program.name;
  const commandLine = fillTemplate(command ?? 'nvidia-persistenced --verbose', values);
  const name = programName(commandLine);
  values['process'] = name;
  const process = {
    name,
    pid,
    parentPid: random.chance(0.15) ? 1 : random.integer(300, pid),
    parent: random.pick(sampleNames.parents),
    commandLine,
    directory: random.pick(sampleNames.directories),
  };
  return { at, host, load, process, container, values };
}

/** Replaces names in braces by their values. Unknown names stay unchanged. */
export function fillTemplate(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces);
}

/** Returns the name of the program of a command line. */
export function programName(commandLine: string): string {
  return commandLine.split(' ')[0]!.split('/').at(-1)!;
}
