/** Builds the metrics of dcgm-exporter for two GPUs on one host: the given one and an idle one. */
export function scrape({
  gpuId,
  temperatureC,
  powerW,
}: {
  gpuId: string;
  temperatureC: number;
  powerW: number;
}) {
  const labels = (index: number, uuid: string) =>
    `{gpu="${index}",UUID="${uuid}",pci_bus_id="00000000:5${3 + index}:00.0",device="nvidia${index}",` +
    'modelName="NVIDIA H100 80GB HBM3",Hostname="imported-host",DCGM_FI_DRIVER_VERSION="580.105.08"}';
  const series = (name: string, values: number[]) =>
    [
      `# TYPE ${name} gauge`,
      ...values.map(
        (value, index) => `${name}${labels(index, index === 0 ? gpuId : `${gpuId.slice(0, -1)}0`)} ${value}`,
      ),
    ].join('\n');
  return `${[
    series('DCGM_FI_DEV_GPU_TEMP', [temperatureC, 29]),
    series('DCGM_FI_DEV_POWER_USAGE', [powerW, 68]),
    series('DCGM_FI_DEV_GPU_UTIL', [97, 0]),
  ].join('\n')}\n`;
}
