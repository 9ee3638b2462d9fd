interface HealthRule {
  title: string;
  /** What a person does about it. Rules of XIDs have the instruction of the XID. */
  instruction?: string;
}

/** The rules of docs/gpu-health.md. */
export const HEALTH_RULES: Record<string, HealthRule> = {
  no_report: {
    title: 'No report',
    instruction:
      'Check that the host is up, that the driver lists the GPU (nvidia-smi -L), and that the exporter runs.',
  },
  critical_xid: { title: 'Critical XID' },
  source_verdict: {
    title: 'Fault stated by the source',
    instruction:
      'Drain the GPU and do what the source asks for: a reset, a restart of the host, or a replacement.',
  },
  ecc_double_bit: {
    title: 'Double-bit ECC errors',
    instruction: 'Drain the GPU and reset it. If the errors return, replace the board.',
  },
  row_remap_failed: { title: 'Row remap failed', instruction: 'Drain the GPU and replace the board.' },
  temperature_near_shutdown: {
    title: 'Temperature near shutdown',
    instruction: 'Stop the job or restore the cooling, before the board shuts down.',
  },
  degrading_xid: { title: 'Degrading XID' },
  row_remap_pending: {
    title: 'Row remap pending',
    instruction: 'Drain the GPU and reset it: the reset remaps the row or retires the page.',
  },
  throttling: { title: 'Throttling', instruction: 'Check the cooling and the power supply of the host.' },
  nvlink_errors: {
    title: 'NVLink errors',
    instruction: 'Check the NVLink connections. If the errors continue, drain the host and reset its GPUs.',
  },
  pcie_replays: {
    title: 'PCIe replays',
    instruction: 'Check the seating and the slot of the board with the next maintenance.',
  },
  rows_remapped: {
    title: 'Rows remapped',
    instruction: 'Nothing for one row. If more rows follow, plan to replace the board.',
  },
  memory_temperature: {
    title: 'Memory temperature',
    instruction: 'Check the cooling of the host, or reduce the load of the GPU.',
  },
  temperature_slowdown: {
    title: 'Temperature above slowdown',
    instruction: 'Check the cooling of the host, or reduce the load of the GPU.',
  },
};

/**
 * What a person does for each immediate action of NVIDIA's XID catalog
 * (https://docs.nvidia.com/deploy/xid-errors/). Other actions are shown in the words of the API.
 */
const XID_INSTRUCTIONS: Record<string, string> = {
  'restart application': 'Restart the application. The GPU itself needs nothing unless the error returns.',
  'reset gpu': 'Drain the GPU and reset it: nvidia-smi --gpu-reset, or restart the host.',
  'restart host':
    'Drain the host and restart it. If the GPU does not come back, check its seating and power.',
  'restart vm': 'Restart the virtual machine.',
  'follow the workflow':
    'Collect nvidia-bug-report.sh and follow the workflow for this code in NVIDIA’s XID guide.',
  'check power cables': 'Check the power cables of the board.',
  'update driver or firmware': 'Update the driver or the firmware.',
  'contact support': 'Contact the support of the vendor, with the output of nvidia-bug-report.sh.',
  ignore: 'Nothing. Watch whether it returns.',
  informational: 'Nothing for this code: see the XID before it.',
};

/** Returns what a person does for an action of the XID catalog. */
export function xidInstruction(action: string): string {
  return XID_INSTRUCTIONS[action.toLowerCase()] ?? asSentence(action);
}

/** Returns a text with a capital letter and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const end = /[.!?…]$/.test(trimmed) || trimmed === '' ? '' : '.';
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}${end}`;
}
