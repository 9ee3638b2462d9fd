import type { AlertType } from '@gpu-observatory/domain-types';

/** Attacks as chains of alerts on one host. Each step has the minutes since the previous step. */
export const attackScenarios: readonly (readonly (readonly [AlertType, number])[])[] = [
  [
    ['container_privileged', 0],
    ['container_sensitive_mount', 2],
    ['container_escape', 4],
    ['privilege_escalation', 1],
    ['unknown_binary_exec', 3],
    ['c2_covert_channel', 5],
    ['network_anomaly', 12],
  ],
  [
    ['ray_job_rce', 0],
    ['command_line_anomaly', 1],
    ['unknown_binary_exec', 1],
    ['gpu_usage', 6],
    ['gpu_power', 4],
    ['network_anomaly', 9],
  ],
  [
    ['container_gpu_access', 0],
    ['gpu_driver_access', 2],
    ['gpu_dma', 3],
    ['gpu_memory', 2],
    ['vm_escape', 8],
    ['rogue_ebpf', 6],
  ],
  [
    ['controlplane_credential_attack', 0],
    ['controlplane_integrity', 14],
    ['container_privileged', 3],
    ['model_poisoning', 25],
    ['gpu_ransomware', 40],
  ],
  [
    ['process_anomaly', 0],
    ['container_cgroup_escape', 3],
    ['kernel_oops', 1],
    ['system_info_change', 5],
    ['c2_covert_channel', 7],
  ],
];
