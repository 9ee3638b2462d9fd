import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the use of a GPU. */
export const gpuActivity = {
  gpu_usage: {
    severities: [0, 14, 35, 28, 14],
    titles: ['Sustained GPU utilization outside the workload profile', 'GPU busy without a scheduled job'],
    descriptions: [
      'GPU utilization on {host} has stayed at {percent} % for {count} minutes while the scheduler lists no job for this {model}.',
      'Process {process} (pid {pid}) keeps the {model} at {percent} % in a pattern that matches proof-of-work kernels rather than training.',
    ],
    commands: ['./xmrig --cuda -o {domain}:{port}', 'python3 experiment.py --epochs 400'],
  },
  gpu_firmware: {
    severities: [5, 4, 1, 0, 0],
    titles: ['GPU firmware differs from the approved image', 'VBIOS hash mismatch on {model}'],
    descriptions: [
      'The VBIOS that {gpu} reports is not on the allowlist of {host}. It changed without a maintenance window.',
      'InfoROM checksum of {gpu} failed twice after process {process} opened the firmware update interface.',
    ],
    commands: ['nvflash --protectoff', 'nvflash -6 custom.rom'],
  },
  gpu_shader: {
    severities: [0, 4, 8, 6, 2],
    titles: ['Unsigned shader module loaded', 'Compute kernel with self-modifying code pattern'],
    descriptions: [
      'Process {process} loaded a shader module of {size} KiB whose digest was never seen in this workspace.',
      'A PTX module compiled at run time by {process} on {host} writes to its own code segment.',
    ],
    commands: ['python3 -c "import pycuda.autoinit"', './render_worker --spirv blob.spv'],
  },
  gpu_dma: {
    severities: [7, 9, 4, 0, 0],
    titles: ['DMA transfer outside the mapped range', 'Unexpected peer-to-peer DMA from {model}'],
    descriptions: [
      'A copy engine of {gpu} read {size} KiB of host memory that process {process} had not pinned. The IOMMU blocked {count} of the accesses.',
      'Peer-to-peer DMA between GPUs of different tenants was attempted on {host} by {process}.',
    ],
    commands: ['./p2p_probe --all', 'python3 rdma_scan.py --bar1'],
  },
  gpu_interrupt: {
    severities: [0, 2, 8, 8, 2],
    titles: ['Interrupt storm from GPU', 'GPU interrupt rate {count} times its baseline'],
    descriptions: [
      '{gpu} raised {size} interrupts a second on {host}; its baseline is {count}.',
      'Interrupts of the {model} are handled by one CPU only since {process} changed their affinity.',
    ],
    commands: ['irqbalance --oneshot', 'sh -c "echo 1 > /proc/irq/138/smp_affinity"'],
  },
  gpu_command: {
    severities: [3, 9, 12, 6, 0],
    titles: ['Malformed command submission to GPU', 'Command buffer replay detected'],
    descriptions: [
      'Process {process} submitted {count} malformed push buffers to {gpu} within a second. The driver rejected them.',
      'The same signed command buffer was submitted {count} times by {process}, a trace of fuzzing of the ioctl interface.',
    ],
    commands: ['./nv_ioctl_fuzz --seed 7', 'python3 submit.py --raw'],
  },
  gpu_memory: {
    severities: [5, 14, 23, 14, 5],
    titles: [
      'GPU memory scraping suspected',
      'GPU memory left uncleared between tenants',
      'GPU memory growth without release',
    ],
    descriptions: [
      'Process {process} allocates and reads device memory without writing to it: {size} MiB in {count} passes.',
      'After a job ended on {gpu}, {size} MiB stayed readable for the next process.',
      'Device memory of {process} has grown by {percent} % an hour and nears the capacity of the {model}.',
    ],
    commands: ['./gpu_leftover_scan --stride 4096', 'python3 dump_vram.py'],
  },
  gpu_ransomware: {
    severities: [8, 2, 0, 0, 0],
    titles: ['GPU-accelerated file encryption in progress', 'Ransomware behavior on {host}'],
    descriptions: [
      'Process {process} streams files under {file} through the {model} and replaces each with one of entropy near 8 bits a byte. {count} files so far.',
      'Model checkpoints under {file} are being renamed and rewritten by {process}; a ransom note was dropped next to them.',
    ],
    commands: ['/dev/shm/.cryptd --threads 0', './locker-cuda /mnt/checkpoints'],
  },
  gpu_texture: {
    severities: [0, 1, 3, 4, 2],
    titles: ['Texture unit used as a covert read path', 'Texture binding outside its surface'],
    descriptions: [
      'Texture fetches of {process} reach {size} KiB beyond the bound surface on {gpu}.',
      'Timing of texture cache misses on {host} correlates with a process of another workspace.',
    ],
    commands: ['./texcache_probe', 'blender --background scene.blend'],
  },
  gpu_driver_access: {
    severities: [4, 15, 15, 7, 0],
    titles: ['Unexpected process opened the GPU driver', 'Direct access to {file} by {process}'],
    descriptions: [
      '{process} (user {user}) opened /dev/nvidiactl on {host}; it is not among the programs that use GPUs there.',
      'The NVIDIA kernel module on {host} was reloaded with NVreg_RestrictProfilingToAdminUsers=0 by {user}.',
    ],
    commands: ['modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0', 'cat /dev/nvidiactl'],
  },
} satisfies Record<string, AlertTemplate>;
