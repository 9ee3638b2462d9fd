import type { Subject } from './alert-kind.ts';

/**
 * One step of a timeline. Names in braces refer to `AlertContext.values`. `command` is the command line of the process that the event is
 * about, by default that of the alert.
 */
export type TimelineStep = readonly [type: string, info: string, command?: string];

type OptionalField = 'comm' | 'command_line' | 'args' | 'pwd';
const COMM: OptionalField[] = ['comm'];
const COMMAND: OptionalField[] = ['comm', 'command_line'];
/** Optional fields by type of event, by default `comm`. Events that no process of the host causes have none. */
const FIELDS: Record<string, OptionalField[]> = {
  process_exec: ['comm', 'command_line', 'args', 'pwd'],
  login: COMMAND,
  gpu_ioctl: COMMAND,
  gpu_kernel_launch: COMMAND,
  capability_change: COMMAND,
  network_connect: COMMAND,
  mount: COMMAND,
  file_chmod: ['comm', 'command_line', 'args'],
  file_open: ['comm', 'pwd'],
  namespace_change: ['comm', 'args'],
  gpu_telemetry: [],
  xid_check: [],
  kernel_log: [],
  container_start: [],
  api_request: [],
  audit: [],
  lease: [],
  metric: [],
};

/** Returns the optional fields of an event. */
export const fieldsOf = (type: string) => FIELDS[type] ?? COMM;

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
    ['login', 'session of {user} opened from {ip}', '/usr/sbin/sshd -D -R'],
    ['process_exec', 'bash started by {user}', 'bash -l'],
    ['process_exec', '{process} started by {user}'],
    ['file_open', '{file} opened for writing'],
    ['file_chmod', '{file} made executable'],
    ['capability_change', 'CAP_SYS_ADMIN gained'],
    ['network_connect', 'TCP connection to {ip}:{port}'],
    ['dns_query', '{domain} resolved'],
    ['process_exit', '{process} ended with status 0'],
  ],
  container: [
    ['container_start', '{container} started from {image}', 'containerd-shim-runc-v2 -namespace k8s.io'],
    ['process_exec', '/bin/sh started in {pod}', '/bin/sh'],
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
