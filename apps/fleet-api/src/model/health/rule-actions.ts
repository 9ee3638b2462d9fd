import type { HealthRule } from './health-signal.ts';

/**
 * Recommended action per rule (docs/gpu-health.md#what-to-do). An XID has the action of the XID catalog instead; the actions for XIDs
 * here are for signals that were stored without one.
 */
export const RULE_ACTIONS: Record<HealthRule | 'no_report', string> = {
  no_report:
    'Check that the host is up and its exporter runs; if only this GPU is missing, look for XID 79 in the kernel log and reboot the host.',
  critical_xid: 'Drain the host and reset the GPU; if the XID returns, contact support.',
  source_verdict: 'Do what the driver or the agent asks for; drain the host before a reset or a reboot.',
  ecc_double_bit:
    'Stop the jobs of the GPU and reset it; if the errors return, run the field diagnostics and replace the board.',
  row_remap_failed: 'Drain the host, run the field diagnostics and replace the board.',
  temperature_near_shutdown:
    'Drain the host and check its fans, air flow and inlet temperature; the GPU is about to shut down.',
  degrading_xid: 'Reset the GPU when its jobs have ended; if the XID returns, contact support.',
  row_remap_pending: 'Reset the GPU when its jobs have ended.',
  throttling:
    'Check the cooling and the power supply of the host; jobs run slower until the cause is removed.',
  nvlink_errors:
    'Check the other GPUs of the host and the NVLink switches; if the errors grow, drain the host and reset its GPUs.',
  pcie_replays: 'Watch the counter; if it grows, drain the host and reseat the board or change its slot.',
  rows_remapped: 'Restart the jobs that failed; if more rows follow, replace the board.',
  memory_temperature: 'Check the fans, air flow and inlet temperature of the host.',
  temperature_slowdown:
    'Check the fans, air flow and inlet temperature of the host; jobs run slower until the GPU is cooler.',
};
