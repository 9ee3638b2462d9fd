interface HealthRule {
  title: string;
  instruction: string;
}

/** The rules of docs/gpu-health.md, and what to do about each one. The detail of a GPU has no instructions. */
export const HEALTH_RULES: Record<string, HealthRule> = {
  no_report: {
    title: 'No report',
    instruction:
      'Check that the host is up and its exporter runs; if only this GPU is missing, look for XID 79 in the kernel log and reboot the host.',
  },
  critical_xid: {
    title: 'Critical XID',
    instruction: 'Drain the host and reset the GPU; if the XID returns, contact support.',
  },
  source_verdict: {
    title: 'Fault stated by the source',
    instruction: 'Do what the driver or the agent asks for; drain the host before a reset or a reboot.',
  },
  ecc_double_bit: {
    title: 'Double-bit ECC errors',
    instruction:
      'Stop the jobs of the GPU and reset it; if the errors return, run the field diagnostics and replace the board.',
  },
  row_remap_failed: {
    title: 'Row remap failed',
    instruction: 'Drain the host, run the field diagnostics and replace the board.',
  },
  temperature_near_shutdown: {
    title: 'Temperature near shutdown',
    instruction:
      'Drain the host and check its fans, air flow and inlet temperature; the GPU is about to shut down.',
  },
  degrading_xid: {
    title: 'Degrading XID',
    instruction: 'Reset the GPU when its jobs have ended; if the XID returns, contact support.',
  },
  row_remap_pending: { title: 'Row remap pending', instruction: 'Reset the GPU when its jobs have ended.' },
  throttling: {
    title: 'Throttling',
    instruction:
      'Check the cooling and the power supply of the host; jobs run slower until the cause is removed.',
  },
  nvlink_errors: {
    title: 'NVLink errors',
    instruction:
      'Check the other GPUs of the host and the NVLink switches; if the errors grow, drain the host and reset its GPUs.',
  },
  pcie_replays: {
    title: 'PCIe replays',
    instruction: 'Watch the counter; if it grows, drain the host and reseat the board or change its slot.',
  },
  rows_remapped: {
    title: 'Rows remapped',
    instruction: 'Restart the jobs that failed; if more rows follow, replace the board.',
  },
  memory_temperature: {
    title: 'Memory temperature',
    instruction: 'Check the fans, air flow and inlet temperature of the host.',
  },
  temperature_slowdown: {
    title: 'Temperature above slowdown',
    instruction:
      'Check the fans, air flow and inlet temperature of the host; jobs run slower until the GPU is cooler.',
  },
};

/** The catalog has no action: that of the health rule is better. */
const NO_ACTION = 'none listed';

/**
 * What a person does for each immediate action of NVIDIA's XID catalog
 * (https://docs.nvidia.com/deploy/xid-errors/). Other actions are shown in the words of the API.
 */
const XID_INSTRUCTIONS: Record<string, string> = {
  'restart application': 'Restart the application. The GPU itself needs nothing unless the error returns.',
  'drain and reset gpu': 'Drain the GPU and reset it when its jobs have ended.',
  'reset the bus of the gpu': 'Drain the host and reset the bus of the GPU, or restart the host.',
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
  [NO_ACTION]: 'NVIDIA lists no action. Watch whether it returns.',
};

/**
 * Returns what a person does for an action of the XID catalog.
 *
 * @param rule health rule of the XID, if it has one
 */
export function xidInstruction(action: string, rule?: string): string {
  const ofRule = rule === undefined || action !== NO_ACTION ? undefined : HEALTH_RULES[rule]?.instruction;
  return ofRule ?? XID_INSTRUCTIONS[action.toLowerCase()] ?? asSentence(action);
}

/** Returns a text with a capital letter and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const end = /[.!?…]$/.test(trimmed) || trimmed === '' ? '' : '.';
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}${end}`;
}
