/** Properties of a GPU model, including what it can report. */
export interface GpuModel {
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
  /** PCIe buses of the GPUs of a host. */
  pcieBuses: string[];
}

export interface Board {
  powerW: { idle: number; limit: number };
  temperatureC: { idle: number; load: number; slowdown: number; shutdown: number };
  /** False for passive boards, which the chassis cools. */
  hasFan: boolean;
}

const HGX_BUSES = ['1B', '43', '52', '61', '9D', 'C3', 'D1', 'DF'];
const latest = { computeStacks: ['CUDA 12.8', 'CUDA 12.9'], driverVersions: ['570.133.20', '575.57.08'] };
const cuda12 = { computeStacks: ['CUDA 12.4', 'CUDA 12.8'], driverVersions: ['550.144.03', '570.133.20'] };
const sxm = { canMig: true, hasNvlink: true, pcieBuses: HGX_BUSES };
const DEFAULTS = {
  vendor: 'NVIDIA',
  canMig: false,
  hasRowRemapping: true,
  hasNvlink: false,
  pcieBuses: ['17', '2A', '3D', '65', '99', 'AB', 'CA', 'E3'],
} satisfies Partial<GpuModel>;

/** @param celsius idle, load, slowdown, shutdown */
const board = (
  powerW: Board['powerW'],
  [idle, load, slowdown, shutdown]: [number, number, number, number],
  hasFan = false,
): Board => ({ powerW, temperatureC: { idle, load, slowdown, shutdown }, hasFan });

type Own = Omit<GpuModel, keyof typeof DEFAULTS> & Partial<Pick<GpuModel, keyof typeof DEFAULTS>>;
const model = (own: Own): GpuModel => ({ ...DEFAULTS, ...own });

/** By the short name in hostnames. */
export const gpuModels = {
  h100: model({
    name: 'NVIDIA H100 80GB HBM3',
    ...latest,
    firmwareVersions: ['96.00.99.00.01', '96.00.A5.00.01'],
    memoryTotalMib: 81_559,
    board: board({ idle: 68, limit: 700 }, [31, 66, 89, 95]),
    smClockMhz: { idle: 345, boost: 1_980 },
    memoryClockMhz: { idle: 2_619, load: 2_619 },
    ...sxm,
  }),
  h200: model({
    name: 'NVIDIA H200',
    ...latest,
    firmwareVersions: ['96.00.BC.00.02', '96.00.D0.00.03'],
    memoryTotalMib: 143_771,
    board: board({ idle: 76, limit: 700 }, [32, 68, 89, 95]),
    smClockMhz: { idle: 345, boost: 1_980 },
    memoryClockMhz: { idle: 3_201, load: 3_201 },
    ...sxm,
  }),
  a100: model({
    name: 'NVIDIA A100-SXM4-80GB',
    computeStacks: ['CUDA 12.2', 'CUDA 12.4'],
    driverVersions: ['535.183.06', '550.144.03'],
    firmwareVersions: ['92.00.36.00.02', '92.00.9E.00.01'],
    memoryTotalMib: 81_920,
    board: board({ idle: 62, limit: 400 }, [30, 63, 89, 92]),
    smClockMhz: { idle: 210, boost: 1_410 },
    memoryClockMhz: { idle: 1_593, load: 1_593 },
    ...sxm,
    pcieBuses: ['07', '0F', '47', '4E', '87', '90', 'B7', 'BD'],
  }),
  l40s: model({
    name: 'NVIDIA L40S',
    ...cuda12,
    firmwareVersions: ['95.02.66.00.02'],
    memoryTotalMib: 46_068,
    board: board({ idle: 34, limit: 350 }, [33, 70, 92, 98]),
    smClockMhz: { idle: 210, boost: 2_520 },
    memoryClockMhz: { idle: 405, load: 9_001 },
  }),
  l4: model({
    name: 'NVIDIA L4',
    ...cuda12,
    firmwareVersions: ['95.04.65.00.05'],
    memoryTotalMib: 23_034,
    board: board({ idle: 13, limit: 72 }, [36, 72, 88, 93]),
    smClockMhz: { idle: 210, boost: 2_040 },
    memoryClockMhz: { idle: 405, load: 6_251 },
  }),
  t4: model({
    name: 'Tesla T4',
    computeStacks: ['CUDA 12.2'],
    driverVersions: ['535.183.06', '535.230.02'],
    firmwareVersions: ['90.04.84.00.06', '90.04.96.00.02'],
    memoryTotalMib: 15_360,
    board: board({ idle: 10, limit: 70 }, [34, 74, 93, 96]),
    smClockMhz: { idle: 300, boost: 1_590 },
    memoryClockMhz: { idle: 405, load: 5_001 },
    hasRowRemapping: false,
  }),
  rtx6000: model({
    name: 'NVIDIA RTX 6000 Ada Generation',
    ...cuda12,
    firmwareVersions: ['95.02.3C.80.0B'],
    memoryTotalMib: 49_140,
    board: board({ idle: 22, limit: 300 }, [35, 73, 92, 98], true),
    smClockMhz: { idle: 210, boost: 3_105 },
    memoryClockMhz: { idle: 405, load: 10_001 },
  }),
  vgpu: model({
    name: 'GRID A100-40C',
    computeStacks: ['CUDA 12.4'],
    driverVersions: ['550.144.03'],
    firmwareVersions: ['00.00.00.00.00'],
    memoryTotalMib: 40_960,
    board: null,
    smClockMhz: { idle: 1_410, boost: 1_410 },
    memoryClockMhz: { idle: 1_215, load: 1_215 },
    hasRowRemapping: false,
    pcieBuses: ['02', '03', '04', '05', '06', '07', '08', '09'],
  }),
  mi300x: model({
    vendor: 'AMD',
    name: 'AMD Instinct MI300X',
    computeStacks: ['ROCm 6.2', 'ROCm 6.3'],
    driverVersions: ['6.8.5', '6.10.5'],
    firmwareVersions: ['113-M3000100-102', '113-M3000100-103'],
    memoryTotalMib: 196_592,
    board: board({ idle: 138, limit: 750 }, [38, 71, 100, 105]),
    smClockMhz: { idle: 132, boost: 2_100 },
    memoryClockMhz: { idle: 900, load: 1_300 },
    hasRowRemapping: false,
    pcieBuses: ['05', '26', '46', '65', '85', 'A6', 'C6', 'E5'],
  }),
};

export type GpuModelKey = keyof typeof gpuModels;
