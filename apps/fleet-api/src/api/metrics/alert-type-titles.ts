import type { AlertType } from '@gpu-observatory/domain-types';

/** The icon and title of an alert type in a chart. */
export interface AlertTypeTitle {
  icon: string;
  title: string;
}

const TITLES: Record<AlertType, [icon: string, title: string]> = {
  cpu_usage: ['cpu', 'CPU usage'],
  gpu_usage: ['gpu', 'GPU usage'],
  gpu_firmware: ['chip', 'GPU firmware'],
  gpu_shader: ['gpu', 'GPU shader'],
  gpu_dma: ['transfer', 'GPU DMA'],
  gpu_power: ['power', 'GPU power'],
  gpu_interrupt: ['gpu', 'GPU interrupt'],
  gpu_command: ['gpu', 'GPU command'],
  gpu_memory: ['memory', 'GPU memory'],
  gpu_ransomware: ['lock', 'GPU ransomware'],
  gpu_texture: ['gpu', 'GPU texture'],
  gpu_pcie: ['transfer', 'GPU PCIe'],
  gpu_thermal: ['thermometer', 'GPU temperature'],
  gpu_throttle: ['thermometer', 'GPU throttling'],
  gpu_ecc: ['memory', 'GPU ECC errors'],
  gpu_nvlink: ['transfer', 'GPU NVLink'],
  process_anomaly: ['process', 'Process anomaly'],
  privilege_escalation: ['shield', 'Privilege escalation'],
  command_line_anomaly: ['terminal', 'Command line anomaly'],
  system_info_change: ['host', 'System information change'],
  network_anomaly: ['network', 'Network anomaly'],
  cpu_anomaly: ['cpu', 'CPU anomaly'],
  kernel_oops: ['host', 'Kernel oops'],
  container_sensitive_mount: ['container', 'Sensitive mount'],
  container_gpu_access: ['container', 'Container GPU access'],
  container_privileged: ['container', 'Privileged container'],
  container_escape: ['container', 'Container escape'],
  container_cgroup_escape: ['container', 'Container cgroup escape'],
  unknown_binary_exec: ['terminal', 'Unknown binary'],
  rogue_ebpf: ['shield', 'Rogue eBPF program'],
  gpu_driver_access: ['gpu', 'GPU driver access'],
  c2_covert_channel: ['network', 'Covert command channel'],
  model_poisoning: ['model', 'Model poisoning'],
  controlplane_integrity: ['control-plane', 'Control plane integrity'],
  controlplane_credential_attack: ['control-plane', 'Control plane credential attack'],
  controlplane_saturation: ['control-plane', 'Control plane saturation'],
  controlplane_slo: ['control-plane', 'Control plane objectives'],
  controlplane_etcd_storage: ['control-plane', 'Control plane etcd storage'],
  controlplane_kcm: ['control-plane', 'Control plane controller manager'],
  vm_escape: ['vm', 'VM escape'],
  ray_job_rce: ['terminal', 'Ray job remote code execution'],
};

export const ALERT_TYPE_ICONS = [...new Set(Object.values(TITLES).map(([icon]) => icon))];

export function alertTypeTitle(type: AlertType): AlertTypeTitle {
  const [icon, title] = TITLES[type];
  return { icon, title };
}
