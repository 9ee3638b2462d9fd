export type WorkloadKind = 'training' | 'inference' | 'interactive';

/** A program that runs on GPUs. Jobs differ somewhat from its utilization and memory. */
export interface Program {
  name: string;
  description: string;
  /** Empty: unclassified. */
  usageCategory: string;
  utilizationPct: number;
  /** Fraction of the GPU memory. */
  memoryFraction: number;
  /** Fraction of the power limit at full utilization. Matrix kernels draw more than memory-bound ones. */
  powerIntensity: number;
  /** Whether the utilization is constant, whatever the usage category. */
  isSteady?: boolean;
}

function program(
  name: string,
  description: string,
  usageCategory: string,
  utilizationPct: number,
  memoryFraction: number,
  powerIntensity: number,
): Program {
  return { name, description, usageCategory, utilizationPct, memoryFraction, powerIntensity };
}

export const programs: Record<WorkloadKind, readonly Program[]> = {
  training: [
    program('torchrun pretrain_gpt.py', 'Megatron-LM pre-training', 'training', 97, 0.91, 0.97),
    program('python3 finetune_llama.py', 'LoRA fine-tuning with FSDP', 'training', 90, 0.82, 0.88),
    program('accelerate launch train_sdxl.py', 'Diffusion model training, bf16', 'training', 94, 0.72, 0.9),
    program('python3 train_rl.py', 'Reinforcement learning, PPO', 'training', 58, 0.65, 0.72),
    program('gmx mdrun', 'GROMACS molecular dynamics', 'simulation', 78, 0.12, 0.75),
  ],
  inference: [
    program('vllm serve', 'OpenAI-compatible chat completion server', 'inference', 80, 0.91, 0.72),
    program('tritonserver', 'Embedding and re-ranking models', 'inference', 52, 0.53, 0.6),
    program('text-generation-launcher', 'Text generation inference, sharded', 'inference', 70, 0.83, 0.7),
    program('python3 whisper_worker.py', 'Speech transcription queue worker', 'inference', 50, 0.28, 0.55),
    program('ffmpeg -hwaccel cuda', 'Video transcoding', 'media', 32, 0.08, 0.4),
  ],
  interactive: [
    program('ipykernel_launcher', 'Jupyter notebook kernel', '', 40, 0.38, 0.55),
    program('python3 experiment.py', 'Single-GPU experiment', 'training', 80, 0.6, 0.8),
    program('blender --background', 'Offline rendering', 'rendering', 93, 0.38, 0.82),
    program('python3 -m pytest', '', '', 18, 0.07, 0.35),
  ],
};
