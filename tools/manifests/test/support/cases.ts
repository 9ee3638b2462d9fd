const externalAccountService = {
  enabled: false,
  external: {
    jwksUrl: 'https://account.example.com/.well-known/jwks.json',
    internalUrl: 'https://account-internal.example.com',
  },
};

const placement = {
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'platform', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] }],
      },
    },
  },
};

/** A container of the operator's own that complies with the restricted Pod Security Standard. */
const sidecar = (name: string) => ({
  name,
  image: 'images.example.com/sidecar:1.2.3',
  args: [],
  resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
});

const administratorUrl = { existingSecret: 'observatory-app', key: 'uri', parameters: 'sslmode=verify-full' };

const additions = {
  extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/authorities/ca.crt' }],
  extraVolumes: [{ name: 'authorities', configMap: { name: 'authorities' } }],
  extraVolumeMounts: [{ name: 'authorities', mountPath: '/etc/authorities', readOnly: true }],
  podLabels: { team: 'platform' },
  podAnnotations: { 'example.com/note': 'yes' },
  service: {
    annotations: { 'example.com/load-balancer': 'internal' },
    ipFamilyPolicy: 'PreferDualStack',
    ipFamilies: ['IPv6', 'IPv4'],
  },
  ingress: { annotations: { 'example.com/audience': 'all' }, extraHosts: ['other.example.com'] },
  strategy: { rollingUpdate: { maxSurge: '25%' } },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
  ],
  initContainers: [sidecar('wait-for-network')],
  extraContainers: [sidecar('log-shipper')],
  serviceAccount: { annotations: { 'example.com/role': 'reader' } },
  autoscaling: {
    enabled: true,
    targetMemoryUtilizationPercentage: 80,
    metrics: [
      {
        type: 'Pods',
        pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '100' } },
      },
    ],
    behavior: { scaleUp: { stabilizationWindowSeconds: 30 } },
  },
  priorityClassName: 'high',
  image: { digest: `sha256:${'0'.repeat(64)}` },
  ...placement,
};

const egress = (port: number) => ({ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }], ports: [port] });

const everything = {
  global: { imageRegistry: 'images.example.com', imagePullSecrets: ['pull', { name: 'pull-too' }] },
  commonLabels: { 'example.com/cost-center': 'observability' },
  commonAnnotations: { 'example.com/owner': 'platform' },
  trustedProxies: ['10.0.0.0/8'],
  responseCompression: false,
  checkSecrets: false,
  fleetApi: {
    revocations: { stalenessLimitSeconds: 30, notReadyWhenStale: true },
    ...additions,
    database: {
      readOnlyUrl: { existingSecret: 'fleet-api-standbys', key: 'uri' },
      administratorUrl,
      authority: { existingSecret: 'fleet-database-authority', key: 'root.pem' },
      namedStatements: false,
      egress: egress(6432),
    },
    xidTable: { existingConfigMap: 'xid-table' },
    internalCredential: { existingSecret: 'fleet-api-internal', key: 'credential' },
  },
  accountService: {
    ...additions,
    internalTls: { existingSecret: 'account-service-internal-tls' },
    oidc: {
      enabled: true,
      issuer: 'https://login.example.com',
      domains: ['acme.example', 'globex.example'],
      trustedDomains: ['acme.example'],
      prompt: 'login',
      name: 'Example',
      acrValues: ['phr', 'phrh'],
    },
    google: {
      enabled: true,
      authorizationUrl: 'https://google.example.com/authorize',
      tokenUrl: 'https://google.example.com/token',
      userinfoUrl: 'https://google.example.com/userinfo',
    },
    github: {
      authorizationUrl: 'https://github.example.com/login/oauth/authorize',
      tokenUrl: 'https://github.example.com/login/oauth/access_token',
      userUrl: 'https://github.example.com/api/v3/user',
      emailsUrl: 'https://github.example.com/api/v3/user/emails',
    },
    passwordSignIn: true,
    administrator: { email: 'ada@acme.example' },
    tenants: {
      declaration: {
        customers: [
          { slug: 'acme', name: 'Acme', domains: ['acme.example'], administrators: ['ada@acme.example'] },
        ],
      },
    },
    database: { administratorUrl, egress: egress(5432) },
  },
  websiteApi: {
    ...additions,
    smtp: { existingSecret: 'website-api-smtp', from: 'site@example.com', egress: egress(465) },
    database: { administratorUrl, egress: egress(5432) },
    docsUrl: 'https://docs.example.com',
    content: {
      enabled: true,
      volume: { emptyDir: {} },
      initContainers: [{ ...sidecar('git'), volumeMounts: [{ name: 'content', mountPath: '/content' }] }],
      egress: egress(443),
    },
  },
  console: additions,
  collectors: {
    podLabels: { team: 'telemetry' },
    podAnnotations: { 'example.com/note': 'collector' },
    fleets: [
      {
        name: 'training',
        customer: 1,
        workspace: 2,
        apiKey: 3,
        targets: ['dns+http://dcgm-exporter.gpu-operator:9400/metrics', 'http://10.2.0.7:9400/metrics'],
        every: '15s',
        timeout: '5s',
      },
      {
        name: 'inference',
        customer: 1,
        workspace: 4,
        workspaceName: 'Inference cluster',
        targets: ['https://10.2.0.8:9400/metrics'],
        caFile: '/etc/exporters/ca.crt',
        bearerTokenFile: '/etc/exporters/token',
      },
      {
        name: 'lab',
        customer: 1,
        workspace: 5,
        targets: ['https://10.2.0.9:9400/metrics'],
        username: 'collector',
        passwordFile: '/etc/exporters/password',
      },
    ],
    egress: egress(9400),
  },
  gateway: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }] },
  networkPolicy: {
    publicFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    dnsPorts: [53, 5353],
    extraIngress: [{ from: [{ ipBlock: { cidr: '169.254.7.127/32' } }] }, { ports: [{ port: 15008 }] }],
    extraEgress: [{ ports: [{ port: 15008 }] }],
    internalFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'telemetry' } } }],
  },
  operations: {
    nodeSelector: placement.nodeSelector,
    tolerations: placement.tolerations,
    affinity: placement.affinity,
    priorityClassName: 'low',
    podLabels: { 'sidecar.istio.io/inject': 'false' },
    podAnnotations: { 'example.com/note': 'job' },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: {
    enabled: true,
    labels: { release: 'prometheus' },
    runbookUrl: 'https://docs.example.com/operating',
    alerts: { GpuObservatoryHighLatency: { threshold: 2.5, for: '30m', severity: 'critical' } },
  },
  extraObjects: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'addition', labels: { 'app.kubernetes.io/instance': '{{ .Release.Name }}' } },
    },
  ],
  grafanaDashboard: { enabled: true },
  contracts: { accessToken: { existingSecret: 'contract-token' } },
};

/** Values for each branch of the templates, by name. */
export const cases: Record<string, object> = {
  'by default': {},
  everything,
  'fleet-api alone': {
    accountService: externalAccountService,
    websiteApi: { enabled: false },
    console: { enabled: false },
  },
  'account-service alone': {
    fleetApi: { enabled: false },
    websiteApi: { enabled: false },
    console: { enabled: false },
    accountService: { github: { enabled: false }, google: { enabled: true } },
  },
  'website-api alone': {
    fleetApi: { enabled: false },
    console: { enabled: false },
    accountService: externalAccountService,
  },
  'no service': {
    fleetApi: { enabled: false },
    accountService: { enabled: false },
    websiteApi: { enabled: false },
    console: { enabled: false },
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
  },
  'with the console': {
    console: {
      serviceAccount: { create: false },
      podDisruptionBudget: { enabled: false },
    },
    websiteApi: { signInUrl: 'https://app.example.com/alerts', agentFrontendUrl: 'http://localhost:4173' },
  },
  'behind a Gateway': {
    ingress: { enabled: false },
    gateway: { enabled: true, parentRefs: [{ name: 'public' }] },
  },
  'behind load balancers, without a database authority': {
    ingress: { enabled: false },
    fleetApi: {
      replicas: null,
      service: {
        type: 'LoadBalancer',
        nodePort: 30080,
        externalTrafficPolicy: 'Local',
        loadBalancerClass: 'example.com/internal',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
      },
      database: { authority: { existingSecret: '' } },
      autoscaling: {
        enabled: true,
        targetCPUUtilizationPercentage: 0,
        targetMemoryUtilizationPercentage: 70,
      },
    },
    accountService: { service: { type: 'LoadBalancer' }, tenants: { existingConfigMap: 'tenants' } },
  },
  'TLS terminated elsewhere': { ingress: { tls: false, className: 'internal' } },
  'hosts of their own': {
    fleetApi: { tlsSecret: '', ingress: { enabled: false } },
    accountService: { ingress: { enabled: false } },
    websiteApi: { ingress: { enabled: false, extraHosts: ['example.com'] } },
    console: { ingress: { enabled: false } },
  },
  'passwords alone, in a trial': {
    frontend: { urls: ['http://localhost:3000'], cookieDomain: '' },
    ingress: { enabled: false },
    image: { registry: 'docker.io' },
    fleetApi: { publicUrl: 'http://localhost:3001' },
    accountService: {
      publicUrl: 'http://localhost:3002',
      github: { enabled: false },
      passwordSignIn: true,
      administrator: { email: 'ada@trial.example' },
    },
    websiteApi: {
      publicUrl: 'http://localhost:3003',
      contactEmail: 'hello@trial.example',
      content: { enabled: true, volume: { configMap: { name: 'posts' } } },
    },
    console: { publicUrl: 'http://localhost:3000' },
    demo: { enabled: true },
  },
  'one replica': {
    fleetApi: { replicas: 1, podDisruptionBudget: { maxUnavailable: '50%' } },
    accountService: { replicas: 1 },
    websiteApi: { replicas: 0 },
    pods: { spreadOverZones: '', spreadOverNodes: '', preStopSleepSeconds: 0 },
  },
  'existing service accounts, no network policies': {
    networkPolicy: { enabled: false },
    operations: { serviceAccount: { create: false, name: 'jobs' } },
    migrations: { serviceAccount: { create: false } },
    fleetApi: { serviceAccount: { create: false } },
    accountService: { serviceAccount: { create: false, name: 'accounts' } },
    websiteApi: { serviceAccount: { create: false, name: 'sites' } },
  },
  'services only': {
    migrations: { enabled: false },
    contracts: { enabled: false },
    websiteApi: { podDisruptionBudget: { enabled: false } },
    operations: { manual: { enabled: false } },
    fleetApi: {
      podDisruptionBudget: { enabled: false },
      partitions: { enabled: false },
      retention: { enabled: false },
    },
    accountService: { podDisruptionBudget: { enabled: false }, cleanUp: { enabled: false } },
    networkPolicy: { monitoringFrom: [], dnsTo: [] },
  },
  'no prepared statements, operations suspended': {
    fleetApi: { database: { namedStatements: false } },
    accountService: { database: { namedStatements: false } },
    websiteApi: { database: { namedStatements: false } },
    operations: { suspend: true },
  },
  'OpenShift user ids': { pods: { securityContext: { runAsUser: null, runAsGroup: null } } },
};
