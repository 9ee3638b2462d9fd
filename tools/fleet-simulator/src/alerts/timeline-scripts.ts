import type { Subject } from './alert-kind.ts';

/** One step of a timeline. `fields` lists the optional fields that this event can have. */
export interface TimelineStep {
  type: string;
  info: string;
  fields: readonly ('comm' | 'command_line' | 'args' | 'pwd')[];
  /** Command line of the event's own process. Default: the process of the alert, at the first step its parent. */
  command?: string;
}

const allFields = ['comm', 'command_line', 'args', 'pwd'] as const;

/** Events before an alert, oldest first. Names in braces refer to `AlertContext.values`. */
export const timelineScripts: Record<Subject, readonly TimelineStep[]> = {
  gpu: [
    { type: 'process_exec', info: '{process} started by {user}', fields: allFields },
    { type: 'file_open', info: '/dev/nvidiactl opened read-write', fields: ['comm', 'pwd'] },
    { type: 'file_open', info: '/dev/nvidia-uvm opened read-write', fields: ['comm'] },
    { type: 'gpu_ioctl', info: 'UVM_INITIALIZE on {gpu}', fields: ['comm', 'command_line'] },
    { type: 'gpu_context', info: 'compute context created on {gpu}', fields: ['comm'] },
    { type: 'gpu_memory_map', info: '{size} MiB of device memory mapped', fields: ['comm'] },
    {
      type: 'gpu_kernel_launch',
      info: '{count} kernels launched within a second',
      fields: ['comm', 'command_line'],
    },
    { type: 'gpu_telemetry', info: 'utilization {percent} %, {celsius} C, {watts} W', fields: [] },
    { type: 'xid_check', info: 'no new XID in the kernel log', fields: [] },
  ],
  host: [
    { type: 'login', info: 'session of {user} opened from {ip}', fields: ['comm'] },
    { type: 'process_exec', info: 'bash started by {user}', fields: ['comm', 'pwd'] },
    { type: 'process_exec', info: '{process} started by {user}', fields: allFields },
    { type: 'file_open', info: '{file} opened for writing', fields: ['comm', 'pwd'] },
    { type: 'file_chmod', info: '{file} made executable', fields: ['comm', 'command_line', 'args'] },
    { type: 'capability_change', info: 'CAP_SYS_ADMIN gained', fields: ['comm', 'command_line'] },
    { type: 'network_connect', info: 'TCP connection to {ip}:{port}', fields: ['comm', 'command_line'] },
    { type: 'dns_query', info: '{domain} resolved', fields: ['comm'] },
    { type: 'process_exit', info: '{process} ended with status 0', fields: ['comm'] },
  ],
  container: [
    { type: 'container_start', info: '{container} started from {image}', fields: [] },
    { type: 'process_exec', info: '/bin/sh started in {pod}', fields: ['comm', 'pwd'] },
    { type: 'process_exec', info: '{process} started in {pod}', fields: allFields },
    { type: 'mount', info: '{file} mounted read-write', fields: ['comm', 'command_line'] },
    { type: 'namespace_change', info: 'setns to the mount namespace of pid 1', fields: ['comm', 'args'] },
    { type: 'file_open', info: '/proc/1/root/etc/shadow opened', fields: ['comm', 'pwd'] },
    {
      type: 'network_connect',
      info: 'TCP connection to {ip}:{port}',
      fields: ['comm', 'command_line', 'pwd'],
    },
    { type: 'process_exit', info: '{process} ended with status 0', fields: ['comm'] },
  ],
  control_plane: [
    { type: 'api_request', info: 'list secrets in {namespace} by {user}: 403', fields: [] },
    { type: 'api_request', info: 'create pods/exec in {namespace} by {user}: 201', fields: [] },
    { type: 'process_exec', info: '{process} started on the control plane', fields: allFields },
    { type: 'audit', info: 'policy of {component} changed', fields: ['comm'] },
    { type: 'lease', info: 'leader of {component} changed', fields: [] },
    { type: 'metric', info: '{component}: {percent} % of requests above the objective', fields: [] },
    {
      type: 'api_request',
      info: 'patch deployments in {namespace} by {user}: 200',
      fields: ['command_line'],
    },
  ],
};
