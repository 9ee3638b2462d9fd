export type WorkloadKind = 'training' | 'inference' | 'interactive';

/** A program that runs on GPUs. Each job draws its levels from the ranges. */
export interface Program {
  name: string;
  description: string;
  /** Empty: unclassified. */
  usageCategory: string;
  utilizationPct: readonly [number, number];
  /** Fraction of the GPU memory. */
  memoryFraction: readonly [number, number];
  /** Fraction of the power limit at full utilization. Matrix kernels draw more than memory-bound ones. */
  powerIntensity: number;
  /** Whether the utilization is constant, whatever the usage category. */
  isSteady?: boolean;
}

export const programs: Record<WorkloadKind, readonly Program[]> = {
  training: [
    {
      name: 'torchrun pretrain_gpt.py',
      description: 'Megatron-LM pre-training, tensor parallel 8',
      usageCategory: 'training',
      utilizationPct: [93, 99],
      memoryFraction: [0.86, 0.95],
      powerIntensity: 0.97,
    },
    {
      name: 'python3 finetune_llama.py',
      description: 'LoRA fine-tuning with FSDP',
      usageCategory: 'training',
      utilizationPct: [82, 95],
      memoryFraction: [0.7, 0.9],
      powerIntensity: 0.88,
    },
    {
      name: 'accelerate launch train_sdxl.py',
      description: 'Diffusion model training, bf16',
      usageCategory: 'training',
      utilizationPct: [88, 97],
      memoryFraction: [0.6, 0.8],
      powerIntensity: 0.9,
    },
    {
      name: 'python3 train_rl.py',
      description: 'Reinforcement learning from human feedback, PPO',
      usageCategory: 'training',
      utilizationPct: [45, 70],
      memoryFraction: [0.55, 0.75],
      powerIntensity: 0.72,
    },
    {
      name: 'gmx mdrun',
      description: 'GROMACS molecular dynamics',
      usageCategory: 'simulation',
      utilizationPct: [70, 85],
      memoryFraction: [0.08, 0.15],
      powerIntensity: 0.75,
    },
  ],
  inference: [
    {
      name: 'vllm serve',
      description: 'OpenAI-compatible chat completion server',
      usageCategory: 'inference',
      utilizationPct: [65, 92],
      memoryFraction: [0.88, 0.93],
      powerIntensity: 0.72,
    },
    {
      name: 'tritonserver',
      description: 'Triton model repository: embedding and re-ranking',
      usageCategory: 'inference',
      utilizationPct: [35, 70],
      memoryFraction: [0.4, 0.65],
      powerIntensity: 0.6,
    },
    {
      name: 'text-generation-launcher',
      description: 'Text generation inference, sharded',
      usageCategory: 'inference',
      utilizationPct: [55, 85],
      memoryFraction: [0.75, 0.9],
      powerIntensity: 0.7,
    },
    {
      name: 'python3 whisper_worker.py',
      description: 'Speech transcription queue worker',
      usageCategory: 'inference',
      utilizationPct: [30, 75],
      memoryFraction: [0.2, 0.35],
      powerIntensity: 0.55,
    },
    {
      name: 'ffmpeg -hwaccel cuda',
      description: 'Video transcoding',
      usageCategory: 'media',
      utilizationPct: [20, 45],
      memoryFraction: [0.05, 0.12],
      powerIntensity: 0.4,
    },
  ],
  interactive: [
    {
      name: 'ipykernel_launcher',
      description: 'Jupyter notebook kernel',
      usageCategory: '',
      utilizationPct: [15, 65],
      memoryFraction: [0.15, 0.6],
      powerIntensity: 0.55,
    },
    {
      name: 'python3 experiment.py',
      description: 'Single-GPU experiment',
      usageCategory: 'training',
      utilizationPct: [60, 95],
      memoryFraction: [0.35, 0.85],
      powerIntensity: 0.8,
    },
    {
      name: 'blender --background',
      description: 'Offline rendering',
      usageCategory: 'rendering',
      utilizationPct: [85, 99],
      memoryFraction: [0.25, 0.5],
      powerIntensity: 0.82,
    },
    {
      name: 'python3 -m pytest',
      description: '',
      usageCategory: '',
      utilizationPct: [5, 30],
      memoryFraction: [0.03, 0.1],
      powerIntensity: 0.35,
    },
  ],
};
