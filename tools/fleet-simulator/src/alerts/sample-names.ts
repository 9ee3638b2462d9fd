/** Names for alerts and workloads. Addresses and domains are reserved for documentation (RFC 5737, RFC 2606). */
export const sampleNames = {
  users: ['root', 'ubuntu', 'mlops', 'svc-ray', 'jupyter', 'www-data', 'deploy', 'backup'],
  files: ['/etc/shadow', '/mnt/checkpoints/llama-3-70b', '/var/run/docker.sock', '/dev/shm/.a', '/root/.ssh'],
  domains: ['pool.example.net', 'cdn-metrics.example.org', 'updates.example.com', 'a1f.relay.example.net'],
  networks: ['203.0.113', '198.51.100', '192.0.2'],
  ports: [22, 443, 3333, 4444, 6379, 8265, 8443, 14444],
  images: [
    'nvcr.io/nvidia/pytorch:25.09-py3',
    'vllm/vllm-openai:v0.11.0',
    'rocm/pytorch:rocm6.3',
    'nginx:1.29',
  ],
  workloads: ['trainer', 'inference', 'notebook', 'embedding', 'ray-worker', 'transcoder', 'batch'],
  namespaces: ['default', 'training', 'serving', 'notebooks', 'batch', 'kube-system', 'gpu-operator'],
  components: ['kube-apiserver', 'etcd', 'kube-scheduler', 'kube-controller-manager', 'gpu-operator'],
  parents: ['bash', 'systemd', 'containerd-shim', 'python3', 'sshd', 'tini'],
  directories: ['/', '/root', '/tmp', '/home/jupyter/work', '/workspace', '/opt/app'],
} as const;
