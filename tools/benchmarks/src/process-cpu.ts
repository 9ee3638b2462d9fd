/** Reads the CPU time that a service's process has used, in seconds, from its metrics. */
export async function processCpuSeconds(managementUrl: string): Promise<number> {
  const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
  const value = /^process_cpu_seconds_total(?:\{.*\})? ([\d.e+-]+)/m.exec(metrics)?.[1];
  if (value === undefined) throw new Error(`${managementUrl}/metrics has no process_cpu_seconds_total`);
  return Number(value);
}
