import type { Subject } from './alert-kind.ts';

/**
 * One step of a timeline. Names in braces refer to `AlertContext.values`. The command line is that of the event's own process; by default
 * it is the process of the alert, at the first step its parent.
 */
export type TimelineStep = readonly [type: string, info: string, command?: string];

type OptionalField = 'comm' | 'command_line' | 'args' | 'pwd';
const OF_PROCESS: OptionalField[] = ['comm', 'command_line'];
/** Optional fields of the types of events that do not have those of a process. */
const FIELDS: Record<string, OptionalField[]> = {
  process_exec: ['comm', 'command_line', 'args', 'pwd'],
  gpu_telemetry: [],
  xid_check: [],
  container_start: [],
  api_request: [],
  lease: [],
  metric: [],
};

/** Returns the optional fields of an event. */
export const fieldsOf = (type: string) => FIELDS[type] ?? OF_PROCESS;

/** Events before an alert, oldest first. */
export const timelineScripts: Record<Subject, readonly TimelineStep[]> = {
  gpu: [
    ['process_exec', '{process} started by {user}'],
    ['file_open', '/dev/nvidiactl opened read-write'],
    ['file_open', '/dev/nvidia-uvm opened read-write'],
    ['gpu_ioctl', 'UVM_INITIALIZE on {gpu}'],
    ['gpu_context', 'compute context created on {gpu}'],
    ['gpu_memory_map', '{size} MiB of device memory mapped'],
    ['gpu_kernel_launch', '{count} kernels launched within a second'],
    ['gpu_telemetry', 'utilization {percent} %, {celsius} C, {watts} W'],
    ['xid_check', 'no new XID in the kernel log'],
  ],
  host: [
    ['login', 'session of {user} opened from {ip}'],
    ['process_exec', 'bash started by {user}'],
    ['process_exec', '{process} started by {user}'],
    ['file_open', '{file} opened for writing'],
    ['file_chmod', '{file} made executable'],
    ['capability_change', 'CAP_SYS_ADMIN gained'],
    ['network_connect', 'TCP connection to {ip}:{port}'],
    ['dns_query', '{domain} resolved'],
    ['process_exit', '{process} ended with status 0'],
  ],
  container: [
    ['container_start', '{container} started from {image}'],
    ['process_exec', '/bin/sh started in {pod}'],
    ['process_exec', '{process} started in {pod}'],
    ['mount', '{file} mounted read-write'],
    ['namespace_change', 'setns to the mount namespace of pid 1'],
    ['file_open', '/proc/1/root/etc/shadow opened'],
    ['network_connect', 'TCP connection to {ip}:{port}'],
    ['process_exit', '{process} ended with status 0'],
  ],
  control_plane: [
    ['api_request', 'list secrets in {namespace} by {user}: 403'],
    ['api_request', 'create pods/exec in {namespace} by {user}: 201'],
    ['process_exec', '{process} started on the control plane'],
    ['audit', 'policy of {component} changed'],
    ['lease', 'leader of {component} changed'],
    ['metric', '{component}: {percent} % of requests above the objective'],
    ['api_request', 'patch deployments in {namespace} by {user}: 200'],
  ],
};
