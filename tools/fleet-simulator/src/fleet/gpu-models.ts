/** Properties of a GPU model, including what it can report. */
export interface GpuModel {
  /** Short name, for hostnames. */
  code: string;
  vendor: 'NVIDIA' | 'AMD';
  name: string;
  computeStacks: string[];
  driverVersions: string[];
  /** VBIOS versions. */
  firmwareVersions: string[];
  memoryTotalMib: number;
  /** Null for a virtual GPU: only the hypervisor can read its temperature and power. */
  board: Board | null;
  smClockMhz: { idle: number; boost: number };
  memoryClockMhz: { idle: number; load: number };
  canMig: boolean;
  hasRowRemapping: boolean;
  hasNvlink: boolean;
  pcieBuses: string[];
}

export interface Board {
  powerW: { idle: number; limit: number };
  temperatureC: { idle: number; load: number; slowdown: number; shutdown: number };
  /** False for passive boards, which the chassis cools. */
  hasFan: boolean;
}

const hgxBuses = ['1B', '43', '52', '61', '9D', 'C3', 'D1', 'DF'];
const pcieBuses = ['17', '2A', '3D', '65', '99', 'AB', 'CA', 'E3'];
const cuda12 = ['CUDA 12.4', 'CUDA 12.8'];
const currentDrivers = ['550.144.03', '570.133.20'];

export const gpuModels = {
  h100: {
    code: 'h100',
    vendor: 'NVIDIA',
    name: 'NVIDIA H100 80GB HBM3',
    computeStacks: ['CUDA 12.8', 'CUDA 12.9'],
    driverVersions: ['570.133.20', '575.57.08'],
    firmwareVersions: ['96.00.99.00.01', '96.00.A5.00.01'],
    memoryTotalMib: 81_559,
    board: {
      powerW: { idle: 68, limit: 700 },
      temperatureC: { idle: 31, load: 66, slowdown: 89, shutdown: 95 },
      hasFan: false,
    },
    smClockMhz: { idle: 345, boost: 1_980 },
    memoryClockMhz: { idle: 2_619, load: 2_619 },
    canMig: true,
    hasRowRemapping: true,
    hasNvlink: true,
    pcieBuses: hgxBuses,
  },
  h200: {
    code: 'h200',
    vendor: 'NVIDIA',
    name: 'NVIDIA H200',
    computeStacks: ['CUDA 12.8', 'CUDA 12.9'],
    driverVersions: ['570.133.20', '575.57.08'],
    firmwareVersions: ['96.00.BC.00.02', '96.00.D0.00.03'],
    memoryTotalMib: 143_771,
    board: {
      powerW: { idle: 76, limit: 700 },
      temperatureC: { idle: 32, load: 68, slowdown: 89, shutdown: 95 },
      hasFan: false,
    },
    smClockMhz: { idle: 345, boost: 1_980 },
    memoryClockMhz: { idle: 3_201, load: 3_201 },
    canMig: true,
    hasRowRemapping: true,
    hasNvlink: true,
    pcieBuses: hgxBuses,
  },
  a100: {
    code: 'a100',
    vendor: 'NVIDIA',
    name: 'NVIDIA A100-SXM4-80GB',
    computeStacks: ['CUDA 12.2', 'CUDA 12.4'],
    driverVersions: ['535.183.06', '550.144.03'],
    firmwareVersions: ['92.00.36.00.02', '92.00.9E.00.01'],
    memoryTotalMib: 81_920,
    board: {
      powerW: { idle: 62, limit: 400 },
      temperatureC: { idle: 30, load: 63, slowdown: 89, shutdown: 92 },
      hasFan: false,
    },
    smClockMhz: { idle: 210, boost: 1_410 },
    memoryClockMhz: { idle: 1_593, load: 1_593 },
    canMig: true,
    hasRowRemapping: true,
    hasNvlink: true,
    pcieBuses: ['07', '0F', '47', '4E', '87', '90', 'B7', 'BD'],
  },
  l40s: {
    code: 'l40s',
    vendor: 'NVIDIA',
    name: 'NVIDIA L40S',
    computeStacks: cuda12,
    driverVersions: currentDrivers,
    firmwareVersions: ['95.02.66.00.02'],
    memoryTotalMib: 46_068,
    board: {
      powerW: { idle: 34, limit: 350 },
      temperatureC: { idle: 33, load: 70, slowdown: 92, shutdown: 98 },
      hasFan: false,
    },
    smClockMhz: { idle: 210, boost: 2_520 },
    memoryClockMhz: { idle: 405, load: 9_001 },
    canMig: false,
    hasRowRemapping: true,
    hasNvlink: false,
    pcieBuses,
  },
  l4: {
    code: 'l4',
    vendor: 'NVIDIA',
    name: 'NVIDIA L4',
    computeStacks: cuda12,
    driverVersions: currentDrivers,
    firmwareVersions: ['95.04.65.00.05'],
    memoryTotalMib: 23_034,
    board: {
      powerW: { idle: 13, limit: 72 },
      temperatureC: { idle: 36, load: 72, slowdown: 88, shutdown: 93 },
      hasFan: false,
    },
    smClockMhz: { idle: 210, boost: 2_040 },
    memoryClockMhz: { idle: 405, load: 6_251 },
    canMig: false,
    hasRowRemapping: true,
    hasNvlink: false,
    pcieBuses,
  },
  t4: {
    code: 't4',
    vendor: 'NVIDIA',
    name: 'Tesla T4',
    computeStacks: ['CUDA 12.2'],
    driverVersions: ['535.183.06', '535.230.02'],
    firmwareVersions: ['90.04.84.00.06', '90.04.96.00.02'],
    memoryTotalMib: 15_360,
    board: {
      powerW: { idle: 10, limit: 70 },
      temperatureC: { idle: 34, load: 74, slowdown: 93, shutdown: 96 },
      hasFan: false,
    },
    smClockMhz: { idle: 300, boost: 1_590 },
    memoryClockMhz: { idle: 405, load: 5_001 },
    canMig: false,
    hasRowRemapping: false,
    hasNvlink: false,
    pcieBuses,
  },
  rtx6000ada: {
    code: 'rtx6000',
    vendor: 'NVIDIA',
    name: 'NVIDIA RTX 6000 Ada Generation',
    computeStacks: cuda12,
    driverVersions: currentDrivers,
    firmwareVersions: ['95.02.3C.80.0B'],
    memoryTotalMib: 49_140,
    board: {
      powerW: { idle: 22, limit: 300 },
      temperatureC: { idle: 35, load: 73, slowdown: 92, shutdown: 98 },
      hasFan: true,
    },
    smClockMhz: { idle: 210, boost: 3_105 },
    memoryClockMhz: { idle: 405, load: 10_001 },
    canMig: false,
    hasRowRemapping: true,
    hasNvlink: false,
    pcieBuses,
  },
  a100Virtual: {
    code: 'vgpu',
    vendor: 'NVIDIA',
    name: 'GRID A100-40C',
    computeStacks: ['CUDA 12.4'],
    driverVersions: ['550.144.03'],
    firmwareVersions: ['00.00.00.00.00'],
    memoryTotalMib: 40_960,
    board: null,
    smClockMhz: { idle: 1_410, boost: 1_410 },
    memoryClockMhz: { idle: 1_215, load: 1_215 },
    canMig: false,
    hasRowRemapping: false,
    hasNvlink: false,
    pcieBuses: ['02', '03', '04', '05', '06', '07', '08', '09'],
  },
  mi300x: {
    code: 'mi300x',
    vendor: 'AMD',
    name: 'AMD Instinct MI300X',
    computeStacks: ['ROCm 6.2', 'ROCm 6.3'],
    driverVersions: ['6.8.5', '6.10.5'],
    firmwareVersions: ['113-M3000100-102', '113-M3000100-103'],
    memoryTotalMib: 196_592,
    board: {
      powerW: { idle: 138, limit: 750 },
      temperatureC: { idle: 38, load: 71, slowdown: 100, shutdown: 105 },
      hasFan: false,
    },
    smClockMhz: { idle: 132, boost: 2_100 },
    memoryClockMhz: { idle: 900, load: 1_300 },
    canMig: false,
    hasRowRemapping: false,
    hasNvlink: false,
    pcieBuses: ['05', '26', '46', '65', '85', 'A6', 'C6', 'E5'],
  },
} as const satisfies Record<string, GpuModel>;

export type GpuModelKey = keyof typeof gpuModels;
