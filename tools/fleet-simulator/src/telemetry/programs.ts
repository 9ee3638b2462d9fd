type Range = readonly [min: number, max: number];

export type WorkloadKind = 'training' | 'inference' | 'interactive';

/** A program that runs on GPUs. Each job draws its levels from the ranges. */
export interface Program {
  name: string;
  description: string;
  /** Empty: unclassified. */
  usageCategory: string;
  utilizationPct: Range;
  /** Fraction of the GPU memory. */
  memoryFraction: Range;
  /** Fraction of the power limit at full utilization. Matrix kernels draw more than memory-bound ones. */
  powerIntensity: number;
  /** Whether the utilization is constant, whatever the usage category. */
  isSteady?: boolean;
}

function program(
  name: string,
  description: string,
  usageCategory: string,
  utilizationPct: Range,
  memoryFraction: Range,
  powerIntensity: number,
): Program {
  return { name, description, usageCategory, utilizationPct, memoryFraction, powerIntensity };
}

export const programs: Record<WorkloadKind, readonly Program[]> = {
  training: [
    program('torchrun pretrain_gpt.py', 'Megatron-LM pre-training', 'training', [93, 99], [0.86, 0.95], 0.97),
    program(
      'python3 finetune_llama.py',
      'LoRA fine-tuning with FSDP',
      'training',
      [82, 95],
      [0.7, 0.9],
      0.88,
    ),
    program(
      'accelerate launch train_sdxl.py',
      'Diffusion model training, bf16',
      'training',
      [88, 97],
      [0.6, 0.8],
      0.9,
    ),
    program('python3 train_rl.py', 'Reinforcement learning, PPO', 'training', [45, 70], [0.55, 0.75], 0.72),
    program('gmx mdrun', 'GROMACS molecular dynamics', 'simulation', [70, 85], [0.08, 0.15], 0.75),
  ],
  inference: [
    program(
      'vllm serve',
      'OpenAI-compatible chat completion server',
      'inference',
      [65, 92],
      [0.88, 0.93],
      0.72,
    ),
    program('tritonserver', 'Embedding and re-ranking models', 'inference', [35, 70], [0.4, 0.65], 0.6),
    program(
      'text-generation-launcher',
      'Text generation inference, sharded',
      'inference',
      [55, 85],
      [0.75, 0.9],
      0.7,
    ),
    program(
      'python3 whisper_worker.py',
      'Speech transcription queue worker',
      'inference',
      [30, 75],
      [0.2, 0.35],
      0.55,
    ),
    program('ffmpeg -hwaccel cuda', 'Video transcoding', 'media', [20, 45], [0.05, 0.12], 0.4),
  ],
  interactive: [
    program('ipykernel_launcher', 'Jupyter notebook kernel', '', [15, 65], [0.15, 0.6], 0.55),
    program('python3 experiment.py', 'Single-GPU experiment', 'training', [60, 95], [0.35, 0.85], 0.8),
    program('blender --background', 'Offline rendering', 'rendering', [85, 99], [0.25, 0.5], 0.82),
    program('python3 -m pytest', '', '', [5, 30], [0.03, 0.1], 0.35),
  ],
};
