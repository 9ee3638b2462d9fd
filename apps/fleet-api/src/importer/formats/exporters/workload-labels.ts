import { clip } from '../../records/clip.ts';
import { NAME_LENGTH } from '../../records/limits.ts';
import type { GpuWorkloadRecord } from '../../records/records.ts';
import type { Labels } from './prometheus-line.ts';

export type Workload = Pick<GpuWorkloadRecord, 'name' | 'uid' | 'description' | 'usage_category'>;

/** Pod labels that operators of one kind of workload set, with the characters that Prometheus allows. */
const CATEGORY_LABELS: [label: string, usageCategory: string][] = [
  ['training_kubeflow_org_job_name', 'training'],
  ['trainer_kubeflow_org_trainjob_ancestor_step', 'training'],
  ['serving_kserve_io_inferenceservice', 'inference'],
];
/** Without honor_labels, the pod labels of a Prometheus server are those of the exporter (`exported_pod` is the workload). */
const EXPORTER = /(?:dcgm|metrics)-exporter/;

/**
 * Returns the pod or HPC job in a sample's labels
 * (https://github.com/NVIDIA/dcgm-exporter#enabling-hpc-job-mapping-on-dcgm-exporter), null without one.
 */
export function workloadOf(labels: Labels): Workload | null {
  const job = labels.hpc_job || labels.job_id || '';
  const { pod, namespace, container } = podOf(labels);
  const name = pod || (job === '' ? container : `job ${job}`);
  if (name === '') return null;
  const description = [
    pod === '' ? '' : 'Kubernetes pod',
    namespace === '' ? '' : `namespace ${namespace}`,
    container === '' || container === name ? '' : `container ${container}`,
    job === '' || pod === '' ? '' : `job ${job}`,
  ];
  const uid = labels.pod_uid ?? '';
  const category =
    labels.usage_category || CATEGORY_LABELS.find(([label]) => Boolean(labels[label]))?.[1] || '';
  return {
    name: storable(name),
    ...(uid === '' ? {} : { uid: storable(uid) }),
    description: storable(description.filter((part) => part !== '').join(', ')),
    ...(category === '' ? {} : { usage_category: storable(category) }),
  };
}

function podOf(labels: Labels): { pod: string; namespace: string; container: string } {
  if (labels.exported_pod || labels.exported_container) {
    const { exported_pod = '', exported_namespace = '', exported_container = '' } = labels;
    return { pod: exported_pod, namespace: exported_namespace, container: exported_container };
  }
  const pod = labels.pod || labels.pod_name || '';
  const namespace = labels.namespace || labels.pod_namespace || '';
  const container = labels.container || labels.container_name || '';
  return EXPORTER.test(pod || container)
    ? { pod: '', namespace: '', container: '' }
    : { pod, namespace, container };
}

function storable(text: string): string {
  return clip(text.replaceAll('\0', '\uFFFD'), NAME_LENGTH);
}
