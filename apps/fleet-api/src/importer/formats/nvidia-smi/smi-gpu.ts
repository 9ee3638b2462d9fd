import type { GpuReadings } from '../../records/gpu-readings.ts';
import { compositeIdOf, uniqueIdOf } from '../exporters/gpu-identity.ts';
import { hasUuidError } from './driver-errors.ts';
import { elementsAt, numberAt, type SmiElement, textAt } from './smi-element.ts';
import { smiReadings } from './smi-readings.ts';

interface SmiProcess {
  pid: number;
  name: string;
  memoryUsedMib: number | null;
}

/** One `gpu` element, converted to the fields of records. */
export interface SmiGpu {
  gpuId: string;
  /** Whether the driver reports neither UUID nor serial number because of an error. */
  isUnidentified: boolean;
  pci: string;
  inventory: object;
  readings: GpuReadings;
  processes: SmiProcess[];
}

/** Reads a GPU from XML of DTD version 11 or later. */
export function readSmiGpu(root: SmiElement, gpu: SmiElement, host: string): SmiGpu {
  const pci = textAt(gpu, 'pci', 'pci_bus_id') ?? textAt(gpu, '@id') ?? '';
  const uuid = textAt(gpu, 'uuid');
  const serial = textAt(gpu, 'serial');
  const uniqueId = uniqueIdOf({ uuid: uuid?.startsWith('GPU-') ? uuid : undefined, serial });
  const cuda = textAt(root, 'cuda_version');
  const inventory = {
    model: textAt(gpu, 'product_name'),
    compute_stack: cuda === undefined ? undefined : `CUDA ${cuda}`,
    driver_version: textAt(root, 'driver_version'),
    firmware_version: textAt(gpu, 'vbios_version'),
    pcie_address: pci,
    serial_no: serial,
    slowdown_temperature_c: numberAt(gpu, 'C', ['temperature', 'gpu_temp_slow_threshold']) ?? undefined,
    memory_temperature_limit_c:
      numberAt(gpu, 'C', ['temperature', 'gpu_temp_max_mem_threshold']) ?? undefined,
    shutdown_temperature_c: numberAt(gpu, 'C', ['temperature', 'gpu_temp_max_threshold']) ?? undefined,
  };
  const mig = textAt(gpu, 'mig_mode', 'current_mig');
  return {
    gpuId: uniqueId ?? compositeIdOf(host, pci),
    isUnidentified: uniqueId === undefined && hasUuidError(gpu),
    pci,
    inventory: {
      vendor: 'NVIDIA',
      hostname: host,
      ...Object.fromEntries(Object.entries(inventory).filter(([, value]) => value !== undefined)),
      ...(mig === undefined ? {} : { mig_enabled: mig === 'Enabled' }),
    },
    readings: smiReadings(gpu),
    processes: elementsAt((gpu.processes ?? {}) as SmiElement, 'process_info').flatMap(processOf),
  };
}

/** Returns the process in an element, or an empty list if it has no pid. */
function processOf(process: SmiElement): SmiProcess[] {
  const pid = numberAt(process, '', ['pid']);
  if (pid === null) return [];
  return [
    {
      pid,
      name: textAt(process, 'process_name') ?? '',
      memoryUsedMib: numberAt(process, 'MiB', ['used_memory']),
    },
  ];
}
