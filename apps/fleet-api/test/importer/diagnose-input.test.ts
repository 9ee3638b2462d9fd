import { diagnoseInput } from '../../src/importer/formats/diagnose-input.ts';

test.each<[text: string, adapter: string | null, looksLike: RegExp]>([
  ['<?xml version="1.0" ?>', 'nvidia-smi', /^XML of nvidia-smi$/],
  ['==============NVSMI LOG==============', 'nvidia-smi', /nvidia-smi -q -x/],
  ['| NVIDIA-SMI 580.95.05    Driver Version: 580.95.05 |', 'nvidia-smi', /nvidia-smi -q -x/],
  ['index, name, uuid, utilization.gpu [%], memory.used [MiB]', 'nvidia-smi', /^CSV of nvidia-smi/],
  ['index, name, uuid', 'nvidia-smi', /^CSV of nvidia-smi/],
  ['0, NVIDIA H100, GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52', 'nvidia-smi', /^CSV of nvidia-smi/],
  ['0, NVIDIA H100, GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52, 45 %', 'nvidia-smi', /^CSV of nvidia-smi/],
  [
    'Failed to initialize NVML: Driver/library version mismatch',
    null,
    /nvidia-smi that failed \("Failed to initialize NVML: Driver\/library version mismatch"\)$/,
  ],
  ['No devices were found', null, /nvidia-smi that failed/],
  ['#Entity   GPUTL  MCUTL', 'dcgm', /^the table of dcgmi dmon/],
  ['__CURSOR=s=1', null, /^journalctl -o export, which has one field per line/],
  ['{"output":"x","priority":"Notice","rule":"Ours"}', 'falco', /^Falco alerts$/],
  ['{\n  "output": "x",\n  "rule": "Ours"\n}', 'falco', /^Falco alerts$/],
  ['{"kind":"gpu","gpu_id":"GPU-1"}', 'ndjson', /^records$/],
  ['[Nov 20 2026 06:24:18] [INFO] [tid 841] started', 'xid', /^the log of the fabric manager$/],
  ['[    2.608284] usb 1-2: New USB device found', 'xid', /^a kernel log$/],
  ['Nov 20 06:24:18 node-1 kernel: usb', 'xid', /^a kernel log$/],
  ['{"_TRANSPORT":"kernel","MESSAGE":"usb"}', 'xid', /^a kernel log$/],
  ['# TYPE DCGM_FI_DEV_GPU_TEMP gauge', 'dcgm', /^the page of dcgm-exporter$/],
  ['DCGM_FI_DEV_GPU_TEMP{gpu="0"} 40', 'dcgm', /^the page of dcgm-exporter$/],
  ['amd_gpu_gfx_activity{gpu_id="0"} 1', 'amd', /^the page of AMD device-metrics-exporter$/],
  ['nvidia_smi_gpu_info{uuid="1"} 1', 'nvidia-gpu-exporter', /^the page of nvidia_gpu_exporter$/],
  ['node_load1 0.5', null, /^the page of an exporter \(it has node_load1\)$/],
  ['<!DOCTYPE html>', null, /^HTML$/],
])('%s', (text, adapter, looksLike) => {
  expect(diagnoseInput(text)).toEqual({ adapter, looksLike: expect.stringMatching(looksLike) });
});

test.each([
  '',
  'a line of another log',
  '{"message":"usb"}',
  '{"kind":"Event","apiVersion":"audit.k8s.io/v1"}',
  'Wed May 10 14:09:17 2023: Falco version: 0.34.1 (x86_64)',
  '2026-11-20T06:24:18+00:00 node-1 systemd[1]: Started, name, uuid',
])('does not know %s', (text) => {
  expect(diagnoseInput(text)).toBeNull();
});
