import type { Access } from '@gpu-observatory/domain-types';
import type { GpuDetailModel } from '../../src/api/gpus/gpu-detail.models.ts';
import { AMD_FORMAT } from '../../src/importer/formats/amd/amd-format.ts';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { importExporterPage } from '../../src/importer/formats/exporters/import-page.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { fleetTables } from '../support/fleet-tables.ts';
import { importText } from '../support/import-records.ts';
import { bodyOf } from '../support/responses.ts';
import { minutesAgo } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: [10] }];
const fleet = useFleetService();

const gpuId = (n: number) => `GPU-c4529c8d-69c4-b61d-e0bc-7b246009600${n}`;
/** A line as dcgm-exporter 4 writes it on Kubernetes. */
const line = (series: string, gpu: number, value: number, more = '') =>
  `DCGM_FI_DEV_${series}{gpu="${gpu}",UUID="${gpuId(gpu)}",pci_bus_id="00000000:5${gpu}:00.0",device="nvidia${gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="gpu-node-1",DCGM_FI_DRIVER_VERSION="580.105.08"${more}} ${value}`;
const pod = (name: string, namespace: string, container: string, more = '') =>
  `,container="${container}",namespace="${namespace}",pod="${name}"${more}`;
const WORKER = pod('vllm-agg-7577f87fc7-dhb97', 'dynamo', 'main', ',pod_uid=""');

const page = (temperature: number) =>
  [
    '# HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).',
    '# TYPE DCGM_FI_DEV_GPU_TEMP gauge',
    // One pod; another series adds a label, which describes no other pod.
    line('GPU_TEMP', 0, temperature, WORKER),
    line('XID_ERRORS', 0, 0, `${WORKER},err_code="0",err_msg="No Error"`),
    // Two pods that share the GPU, with pod labels and UIDs.
    line(
      'GPU_TEMP',
      1,
      31,
      pod('train-0', 'ml', 'a', ',pod_uid="u-1",training_kubeflow_org_job_name="train"'),
    ),
    line(
      'GPU_TEMP',
      1,
      31,
      pod('train-1', 'ml', 'a', ',pod_uid="u-2",usage_category="evaluation",owner="ml-platform"'),
    ),
    // Jobs of a batch system.
    line('GPU_TEMP', 2, 32, ',hpc_job="4711"'),
    line('GPU_TEMP', 2, 32, ',hpc_job="4712"'),
    // As a Prometheus server federates it: the labels of the exporter's own pod, and exported ones of the workload.
    line(
      'GPU_TEMP',
      3,
      33,
      `${pod('nvidia-dcgm-exporter-x7k2p', 'gpu-operator', 'exporter')},exported_pod="jupyter-eve",exported_namespace="lab",exported_container="notebook"`,
    ),
    line('GPU_TEMP', 4, 34, pod('nvidia-dcgm-exporter-x7k2p', 'gpu-operator', 'exporter')),
    line('GPU_TEMP', 5, 35, pod('', '', '')),
  ].join('\n');
const importPage = (text: string, at: string, format = DCGM_FORMAT) =>
  importText(fleet.database.importerUrl, text, (job) =>
    importExporterPage(job, { customerId: 1, workspaceId: 10, at: new Date(at), format }),
  );
const detail = async (id: string) =>
  (
    await bodyOf<{ gpu: GpuDetailModel }>(
      await fleet.get(`/api/v1/gpus/${encodeURIComponent(id)}`, ACCESS),
      'getGpu',
    )
  ).gpu;
const process = (more: object) => ({
  pid: '',
  usage_category: '',
  gpu_utilization_pct: null,
  memory_usage_gb: null,
  started_at: minutes20,
  ...more,
});
const minutes20 = minutesAgo(20);
const minutes10 = minutesAgo(10);

test('the labels of pods and jobs are processes of their GPUs', async () => {
  // The older page last: its observation is the start.
  await importPage(page(40), minutes10);
  const { written, rejected } = await importPage(page(41), minutes20);
  expect({ written, rejected }).toEqual({ written: 6 + 6 + 6, rejected: 0 });

  const worker = 'vllm-agg-7577f87fc7-dhb97';
  expect(await detail(gpuId(0))).toMatchObject({
    processes: [process({ name: worker, description: 'Kubernetes pod, namespace dynamo, container main' })],
    utilization: {
      usage_categories: [{ usage_category: '', process_count: 1 }],
      process_families: [{ name: 'vllm-agg', process_count: 1 }],
    },
  });
  const shared = await detail(gpuId(1));
  const description = 'Kubernetes pod, namespace ml, container a';
  expect(shared.processes).toEqual([
    process({ name: 'train-0', description, usage_category: 'training' }),
    process({ name: 'train-1', description, usage_category: 'evaluation' }),
  ]);
  expect(shared.utilization.process_families).toEqual([{ name: 'train', process_count: 2 }]);
  expect((await detail(gpuId(2))).processes).toEqual([
    process({ name: 'job 4711', description: '' }),
    process({ name: 'job 4712', description: '' }),
  ]);
  expect((await detail(gpuId(3))).processes).toEqual([
    process({ name: 'jupyter-eve', description: 'Kubernetes pod, namespace lab, container notebook' }),
  ]);
  expect((await detail(gpuId(4))).processes).toEqual([]);
  expect((await detail(gpuId(5))).processes).toEqual([]);

  const before = await fleetTables(fleet.database.administratorUrl);
  expect(await importPage(page(40), minutes10)).toMatchObject({ written: 0, rejected: 0 });
  expect(await fleetTables(fleet.database.administratorUrl)).toEqual(before);
});

test('a pod that the last reports do not have is no longer a process', async () => {
  const before = line('GPU_TEMP', 6, 30, pod('batch-4x7kz', 'ml', 'a'));
  const after = line('GPU_TEMP', 6, 30, pod('batch-9w2lq', 'ml', 'a'));
  await importPage(before, minutes20);
  await importPage(after, minutesAgo(1));
  const { processes, utilization } = await detail(gpuId(6));
  expect(processes.map(({ name }) => name)).toEqual(['batch-9w2lq']);
  expect(utilization.process_families).toEqual([{ name: 'batch', process_count: 1 }]);
});

test('the namespace, pod, job and owner in labels are fields of jobs', async () => {
  const jobsOf = async (n: number) => {
    const response = await fleet.get(`/api/v1/gpu-history/${gpuId(n)}`, ACCESS);
    return (await bodyOf<{ jobs: object[] }>(response, 'getGpuHistory')).jobs;
  };
  const place = { namespace: 'ml', pod: 'train-0', job: 'train', owner: '' };
  expect(await jobsOf(1)).toMatchObject([
    { kind: 'workload', pid: null, name: 'train-0', usage_category: 'training', ...place },
    { name: 'train-1', ...place, pod: 'train-1', job: '', owner: 'ml-platform' },
  ]);
  expect(await jobsOf(2)).toMatchObject([
    { name: 'job 4711', namespace: '', pod: '', job: '4711', owner: '' },
    { name: 'job 4712', job: '4712' },
  ]);
  expect(await jobsOf(3)).toMatchObject([{ namespace: 'lab', pod: 'jupyter-eve' }]);
});

test('AMD device-metrics-exporter: pods, and jobs of Slurm', async () => {
  await importPage(
    [
      'gpu_used_vram{gpu_id="0",hostname="n",pod="serve-5d8f7c9b6-x2x4z",namespace="prod",container="c"} 5',
      'gpu_used_vram{GPU_ID="1",HOSTNAME="n",JOB_ID="77",JOB_USER="eve",POD=""} 5',
    ].join('\n'),
    minutes10,
    AMD_FORMAT,
  );
  expect((await detail('n|gpu-0|')).utilization.process_families).toEqual([
    { name: 'serve', process_count: 1 },
  ]);
  expect((await detail('n|gpu-1|')).processes).toMatchObject([{ pid: '', name: 'job 77' }]);
  const history = await fleet.get(`/api/v1/gpu-history/${encodeURIComponent('n|gpu-1|')}`, ACCESS);
  expect(await bodyOf(history, 'getGpuHistory')).toMatchObject({ jobs: [{ job: '77', owner: 'eve' }] });
});
