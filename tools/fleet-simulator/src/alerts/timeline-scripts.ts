import type { Subject } from './alert-kind.ts';

/** One step of a timeline. `says` lists the optional fields that a source of this event fills. */
export interface TimelineStep {
  type: string;
  info: string;
  says: readonly ('comm' | 'command_line' | 'args' | 'pwd')[];
}

const everything = ['comm', 'command_line', 'args', 'pwd'] as const;

/** What is seen before an alert, in order. Braces name values of the scene. */
export const timelineScripts: Record<Subject, readonly TimelineStep[]> = {
  gpu: [
    { type: 'process_exec', info: '{process} started by {user}', says: everything },
    { type: 'file_open', info: '/dev/nvidiactl opened read-write', says: ['comm', 'pwd'] },
    { type: 'file_open', info: '/dev/nvidia-uvm opened read-write', says: ['comm'] },
    { type: 'gpu_ioctl', info: 'UVM_INITIALIZE on {gpu}', says: ['comm', 'command_line'] },
    { type: 'gpu_context', info: 'compute context created on {gpu}', says: ['comm'] },
    { type: 'gpu_memory_map', info: '{size} MiB of device memory mapped', says: ['comm'] },
    {
      type: 'gpu_kernel_launch',
      info: '{count} kernels launched within a second',
      says: ['comm', 'command_line'],
    },
    { type: 'gpu_telemetry', info: 'utilization {percent} %, {celsius} C, {watts} W', says: [] },
    { type: 'xid_check', info: 'no new XID in the kernel log', says: [] },
  ],
  host: [
    { type: 'login', info: 'session of {user} opened from {ip}', says: ['comm'] },
    { type: 'process_exec', info: 'bash started by {user}', says: ['comm', 'pwd'] },
    { type: 'process_exec', info: '{process} started by {user}', says: everything },
    { type: 'file_open', info: '{file} opened for writing', says: ['comm', 'pwd'] },
    { type: 'file_chmod', info: '{file} made executable', says: ['comm', 'command_line', 'args'] },
    { type: 'capability_change', info: 'CAP_SYS_ADMIN gained', says: ['comm', 'command_line'] },
    { type: 'network_connect', info: 'TCP connection to {ip}:{port}', says: ['comm', 'command_line'] },
    { type: 'dns_query', info: '{domain} resolved', says: ['comm'] },
    { type: 'process_exit', info: '{process} ended with status 0', says: ['comm'] },
  ],
  container: [
    { type: 'container_start', info: '{container} started from {image}', says: [] },
    { type: 'process_exec', info: '/bin/sh started in {pod}', says: ['comm', 'pwd'] },
    { type: 'process_exec', info: '{process} started in {pod}', says: everything },
    { type: 'mount', info: '{file} mounted read-write', says: ['comm', 'command_line'] },
    { type: 'namespace_change', info: 'setns to the mount namespace of pid 1', says: ['comm', 'args'] },
    { type: 'file_open', info: '/proc/1/root/etc/shadow opened', says: ['comm', 'pwd'] },
    { type: 'network_connect', info: 'TCP connection to {ip}:{port}', says: ['comm', 'command_line', 'pwd'] },
    { type: 'process_exit', info: '{process} ended with status 0', says: ['comm'] },
  ],
  control_plane: [
    { type: 'api_request', info: 'list secrets in {namespace} by {user}: 403', says: [] },
    { type: 'api_request', info: 'create pods/exec in {namespace} by {user}: 201', says: [] },
    { type: 'process_exec', info: '{process} started on the control plane', says: everything },
    { type: 'audit', info: 'policy of {component} changed', says: ['comm'] },
    { type: 'lease', info: 'leader of {component} changed', says: [] },
    { type: 'metric', info: '{component}: {percent} % of requests above the objective', says: [] },
    { type: 'api_request', info: 'patch deployments in {namespace} by {user}: 200', says: ['command_line'] },
  ],
};
