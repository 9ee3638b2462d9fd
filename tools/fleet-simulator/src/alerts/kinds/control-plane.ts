import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the control plane of a cluster. */
export const controlPlane = {
  controlplane_integrity: {
    severities: [6, 8, 6, 0, 0],
    titles: ['Control plane manifest changed', 'Admission webhook was removed from the cluster'],
    descriptions: [
      'The static manifest of {component} changed on disk without a rollout: an argument that turns off audit was added.',
      '{user} deleted the admission webhook that checks images in namespace {namespace}.',
    ],
    commands: [
      'kubectl delete validatingwebhookconfiguration image-policy',
      'vi /etc/kubernetes/manifests/kube-apiserver.yaml',
    ],
  },
  controlplane_credential_attack: {
    severities: [12, 12, 6, 0, 0],
    titles: ['Credential guessing against the API server', 'Service account token used from outside'],
    descriptions: [
      '{count} rejected authentications a minute from {ip}, each with another name.',
      'The token of a service account in namespace {namespace} was used from {ip}, which is no node of the cluster.',
    ],
    commands: ['kubectl auth can-i --list', 'curl -k https://{ip}:6443/api/v1/secrets'],
  },
  controlplane_saturation: {
    severities: [0, 5, 11, 11, 3],
    titles: ['API server saturated', 'Request queue of {component} is full'],
    descriptions: [
      '{component} rejected {percent} % of requests with status 429 in the last {count} minutes.',
      'A controller in namespace {namespace} lists all pods {count} times a second.',
    ],
    commands: ['kubectl get pods -A --watch', 'gpu-operator --leader-elect'],
  },
  controlplane_slo: {
    severities: [0, 3, 11, 11, 5],
    titles: ['API latency objective missed', 'Error budget of {component} is burning'],
    descriptions: [
      'The 99th percentile of mutating requests to {component} has been above one second for {count} minutes.',
      '{percent} % of the monthly error budget of {component} is used.',
    ],
    commands: ['kube-apiserver --secure-port=6443', 'kube-scheduler --leader-elect=true'],
  },
  controlplane_etcd_storage: {
    severities: [2, 6, 8, 4, 0],
    titles: ['etcd database near its quota', 'etcd commits are slow'],
    descriptions: [
      'The etcd database takes {percent} % of its quota. Past it the cluster is read-only.',
      'Fsync of the etcd log takes {count} ms on average; leader elections follow.',
    ],
    commands: ['etcdctl defrag --cluster', 'etcdctl endpoint status'],
  },
  controlplane_kcm: {
    severities: [0, 4, 8, 6, 2],
    titles: ['Controller manager lags', 'Controller manager lost its lease'],
    descriptions: [
      'The work queue of the controller manager holds {size} items and grows.',
      'kube-controller-manager lost its lease {count} times within the hour.',
    ],
    commands: ['kube-controller-manager --leader-elect=true', 'kubectl get lease -n kube-system'],
  },
} satisfies Record<string, AlertTemplate>;
