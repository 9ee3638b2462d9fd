// Made by "npm run generate" from apps/fleet-api/openapi.json; change that instead.

export interface paths {
  '/api/v1/alerts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Security alerts */
    get: operations['listAlerts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/alerts:summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How many alerts by severity, type and state */
    get: operations['summarizeAlerts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/alerts:severityTrend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How many alerts of each severity, by hour or day */
    get: operations['trendAlerts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/alerts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One alert in full */
    get: operations['getAlert'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/alerts/{id}/timeline': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One alert's timeline, in the order of time */
    get: operations['listTimelineEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/gpus': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The GPU fleet */
    get: operations['listGpus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/gpus/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One GPU in full */
    get: operations['getGpu'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What the fleet adds up to */
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ErrorBody: {
      /** @description Error code. */
      error: string;
      /** @description What is wrong and what is accepted. */
      message: string;
    };
    AlertModel: {
      /** Format: uuid */
      id: string;
      title: string;
      description: string;
      /** @enum {string} */
      type:
        | 'cpu_usage'
        | 'gpu_usage'
        | 'gpu_firmware'
        | 'gpu_shader'
        | 'gpu_dma'
        | 'gpu_power'
        | 'gpu_interrupt'
        | 'gpu_command'
        | 'gpu_memory'
        | 'gpu_ransomware'
        | 'gpu_texture'
        | 'gpu_pcie'
        | 'gpu_thermal'
        | 'gpu_throttle'
        | 'gpu_ecc'
        | 'gpu_nvlink'
        | 'process_anomaly'
        | 'privilege_escalation'
        | 'command_line_anomaly'
        | 'system_info_change'
        | 'network_anomaly'
        | 'cpu_anomaly'
        | 'kernel_oops'
        | 'container_sensitive_mount'
        | 'container_gpu_access'
        | 'container_privileged'
        | 'container_escape'
        | 'container_cgroup_escape'
        | 'unknown_binary_exec'
        | 'rogue_ebpf'
        | 'gpu_driver_access'
        | 'c2_covert_channel'
        | 'model_poisoning'
        | 'controlplane_integrity'
        | 'controlplane_credential_attack'
        | 'controlplane_saturation'
        | 'controlplane_slo'
        | 'controlplane_etcd_storage'
        | 'controlplane_kcm'
        | 'vm_escape'
        | 'ray_job_rce';
      /** @enum {string} */
      severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
      /** @enum {string} */
      state: 'active' | 'ignored';
      /** Format: date-time */
      created_at: string;
      hostname: string | null;
      gpu_model: string | null;
      gpu_serial: string | null;
      workspace_id: number | null;
      api_key_id: number | null;
    };
    AlertListModel: {
      alerts: components['schemas']['AlertModel'][];
      /** @description Absent on the last page. */
      next_page_token?: string;
      /** @description Null on every page but the first. */
      total_size: number | null;
    };
    SeverityCount: {
      /** @enum {string} */
      value: 'critical' | 'high' | 'medium' | 'low' | 'info';
      count: number;
    };
    TypeCount: {
      /** @enum {string} */
      value:
        | 'cpu_usage'
        | 'gpu_usage'
        | 'gpu_firmware'
        | 'gpu_shader'
        | 'gpu_dma'
        | 'gpu_power'
        | 'gpu_interrupt'
        | 'gpu_command'
        | 'gpu_memory'
        | 'gpu_ransomware'
        | 'gpu_texture'
        | 'gpu_pcie'
        | 'gpu_thermal'
        | 'gpu_throttle'
        | 'gpu_ecc'
        | 'gpu_nvlink'
        | 'process_anomaly'
        | 'privilege_escalation'
        | 'command_line_anomaly'
        | 'system_info_change'
        | 'network_anomaly'
        | 'cpu_anomaly'
        | 'kernel_oops'
        | 'container_sensitive_mount'
        | 'container_gpu_access'
        | 'container_privileged'
        | 'container_escape'
        | 'container_cgroup_escape'
        | 'unknown_binary_exec'
        | 'rogue_ebpf'
        | 'gpu_driver_access'
        | 'c2_covert_channel'
        | 'model_poisoning'
        | 'controlplane_integrity'
        | 'controlplane_credential_attack'
        | 'controlplane_saturation'
        | 'controlplane_slo'
        | 'controlplane_etcd_storage'
        | 'controlplane_kcm'
        | 'vm_escape'
        | 'ray_job_rce';
      count: number;
    };
    StateCount: {
      /** @enum {string} */
      value: 'active' | 'ignored';
      count: number;
    };
    AlertSummaryColumns: {
      /** @description By rank. */
      severity: components['schemas']['SeverityCount'][];
      /** @description The most frequent first. */
      type: components['schemas']['TypeCount'][];
      /** @description The most frequent first. */
      state: components['schemas']['StateCount'][];
    };
    AlertSummaryModel: {
      summary: components['schemas']['AlertSummaryColumns'];
    };
    SeverityTrendPoint: {
      /**
       * Format: date-time
       * @description Begin of the hour or day, UTC.
       */
      bucket: string;
      /** @enum {string} */
      severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
      count: number;
    };
    SeverityTrendModel: {
      points: components['schemas']['SeverityTrendPoint'][];
    };
    AlertInfoModel: {
      title: string;
      description: string;
    };
    AlertSequenceModel: {
      steps: unknown[];
    };
    SummaryDataModel: {
      alert_info: components['schemas']['AlertInfoModel'];
      alert_sequence: components['schemas']['AlertSequenceModel'];
    };
    ProcessDetailsModel: {
      title: string;
      process_name: string;
      pid: number;
      /** Format: date-time */
      start_time: string;
      current_status: string;
      /** @description Empty when unknown. */
      last_modified: string;
      parent_process_pid: number;
      command_line: string;
    };
    ChartPointModel: {
      time: number;
      value: number;
    };
    GpuDetailsModel: {
      gpu_id: string;
      model: string;
      vendor: string;
      gpu_utilization: string;
      temperature: string;
      driver_version: string;
      firmware_version: string;
      serial_number: string;
      power_draw: string;
      fan_speed: string;
      clock_throttle_events: string;
      host_id: string;
      node: string;
      utilization_data: components['schemas']['ChartPointModel'][];
      temperature_chart: components['schemas']['ChartPointModel'][];
    };
    NodeDetailsModel: {
      node_id: string;
      uptime: string;
      cpu_load: string;
      number_of_cpus_attached: string;
      /** @description A percentage. */
      cpu_utilization_average: string;
    };
    ResourceDetailsModel: {
      process_details: components['schemas']['ProcessDetailsModel'] | null;
      memory_details: {
        [key: string]: unknown;
      } | null;
      workload_details: {
        [key: string]: unknown;
      } | null;
      gpu_details: components['schemas']['GpuDetailsModel'] | null;
      node_details: components['schemas']['NodeDetailsModel'];
      container_details: {
        [key: string]: unknown;
      } | null;
    };
    CorrelatedAlertsModel: {
      correlated_alerts: unknown[];
    };
    AlertDetailModel: {
      /** Format: uuid */
      id: string;
      title: string;
      description: string;
      /** @enum {string} */
      type:
        | 'cpu_usage'
        | 'gpu_usage'
        | 'gpu_firmware'
        | 'gpu_shader'
        | 'gpu_dma'
        | 'gpu_power'
        | 'gpu_interrupt'
        | 'gpu_command'
        | 'gpu_memory'
        | 'gpu_ransomware'
        | 'gpu_texture'
        | 'gpu_pcie'
        | 'gpu_thermal'
        | 'gpu_throttle'
        | 'gpu_ecc'
        | 'gpu_nvlink'
        | 'process_anomaly'
        | 'privilege_escalation'
        | 'command_line_anomaly'
        | 'system_info_change'
        | 'network_anomaly'
        | 'cpu_anomaly'
        | 'kernel_oops'
        | 'container_sensitive_mount'
        | 'container_gpu_access'
        | 'container_privileged'
        | 'container_escape'
        | 'container_cgroup_escape'
        | 'unknown_binary_exec'
        | 'rogue_ebpf'
        | 'gpu_driver_access'
        | 'c2_covert_channel'
        | 'model_poisoning'
        | 'controlplane_integrity'
        | 'controlplane_credential_attack'
        | 'controlplane_saturation'
        | 'controlplane_slo'
        | 'controlplane_etcd_storage'
        | 'controlplane_kcm'
        | 'vm_escape'
        | 'ray_job_rce';
      /** @enum {string} */
      severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
      /** @enum {string} */
      state: 'active' | 'ignored';
      /** Format: date-time */
      created_at: string;
      hostname: string | null;
      workspace_id: number | null;
      api_key_id: number | null;
      workspace_name: string;
      customer_id: number;
      summary_data: components['schemas']['SummaryDataModel'];
      resource_details: components['schemas']['ResourceDetailsModel'];
      correlated_alerts: components['schemas']['CorrelatedAlertsModel'];
      /** @description Only with an agent session. */
      session_id?: string;
      /** @description Only with an agent session. */
      host_id?: string;
    };
    AlertDetailAnswer: {
      alert: components['schemas']['AlertDetailModel'];
    };
    TimelineEventModel: {
      /** Format: date-time */
      ts: string;
      pid: number;
      tid: number;
      event_type: string;
      event_info: string;
      comm?: string;
      command_line?: string;
      args?: string[];
      pwd?: string;
    };
    TimelineAnswer: {
      timeline_events: components['schemas']['TimelineEventModel'][];
    };
    GpuModel: {
      /** @description GPU-… or host|pci|guest. */
      gpu_id: string;
      workspace_id: number;
      vendor: string;
      model: string;
      compute_stack: string;
      driver_version: string;
      /** @enum {string} */
      health: 'critical' | 'degraded' | 'missing' | 'healthy';
      hostname: string;
      pcie_address: string;
      serial_no: string;
      /** @description Mean over the window in percent, two decimals. */
      utilization_pct: number | null;
      /** @description Mean over the window in Celsius, two decimals. */
      temperature_c: number | null;
      /** @description XID events in the window; null is unknown, not zero. */
      xid_errors: number | null;
      /** @description Means of evenly spaced buckets; those without telemetry are left out. Absent with view=basic. */
      utilization_series?: number[];
      /** Format: date-time */
      last_seen: string;
    };
    GpuListModel: {
      gpus: components['schemas']['GpuModel'][];
    };
    SpecsModel: {
      serial_no: string;
      compute_stack: string;
      driver_version: string;
      firmware_version: string;
      hostname: string;
      pcie_address: string;
      mig_enabled: boolean;
    };
    SecurityModel: {
      total_alerts_24h: number;
      /** @description critical, high, medium, low */
      alerts_by_severity: number[];
    };
    SeverityCountModel: {
      /** @enum {string} */
      severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
      count: number;
    };
    TypeCountModel: {
      type: string;
      count: number;
    };
    XidErrorModel: {
      code: number;
      name: string;
      /** @description The code's class in NVIDIA's catalogue. */
      severity: string;
      /** @description NVIDIA's immediate action. */
      action: string;
      /** Format: date-time */
      occurred_at: string;
    };
    HealthReasonModel: {
      rule: string;
      /** @enum {string} */
      health: 'critical' | 'degraded' | 'missing' | 'healthy';
      evidence: string;
      /** Format: date-time */
      since: string;
      until: string | null;
    };
    HealthModel: {
      /** @enum {string} */
      status: 'critical' | 'degraded' | 'missing' | 'healthy';
      reasons: components['schemas']['HealthReasonModel'][];
    };
    SecurityDiagnosticsModel: {
      alerts_24h: number;
      by_severity: components['schemas']['SeverityCountModel'][];
      by_type: components['schemas']['TypeCountModel'][];
      recent_xid_errors: components['schemas']['XidErrorModel'][];
      health: components['schemas']['HealthModel'];
    };
    XidModel: {
      /** @description Null when no source of XIDs reported. */
      errors_24h: number | null;
      /** @enum {string} */
      trend_7d: 'rising' | 'flat' | 'falling';
      last_code: number | null;
    };
    HistoryModel: {
      /** @description Percent. */
      utilization: number[];
      /** @description GB. */
      memory: number[];
      /** @description Celsius. */
      temperature: number[];
      /** @description W. */
      power: number[];
    };
    TelemetryModel: {
      utilization_pct: number | null;
      memory_used_gb: number | null;
      memory_total_gb: number | null;
      temperature_c: number | null;
      power_draw_w: number | null;
      power_limit_w: number | null;
      fan_pct: number | null;
      /** @description Half-hour means of the last 24 h, oldest first. */
      history: components['schemas']['HistoryModel'];
    };
    ProcessModel: {
      pid: string;
      name: string;
      description: string;
      /** @description Empty when unclassified. */
      usage_category: string;
      gpu_utilization_pct: number | null;
      memory_usage_gb: number | null;
      /** Format: date-time */
      started_at: string;
    };
    UsageCategoryModel: {
      usage_category: string;
      process_count: number;
    };
    ProcessFamilyModel: {
      name: string;
      process_count: number;
    };
    UtilizationModel: {
      /** @description Of the last 24 h, between the first report and the last: each half hour with a reading, as far as it lies in there, by its mean utilization. */
      busy_seconds_24h: number;
      /** @description The rest of the same half hours. */
      idle_seconds_24h: number;
      usage_categories: components['schemas']['UsageCategoryModel'][];
      analyzed_event_count: number;
      process_families: components['schemas']['ProcessFamilyModel'][];
    };
    GpuDetailModel: {
      gpu_id: string;
      vendor: string;
      model: string;
      /** @enum {string} */
      health: 'critical' | 'degraded' | 'missing' | 'healthy';
      specs: components['schemas']['SpecsModel'];
      security: components['schemas']['SecurityModel'];
      security_diagnostics: components['schemas']['SecurityDiagnosticsModel'];
      xid: components['schemas']['XidModel'];
      telemetry: components['schemas']['TelemetryModel'];
      processes: components['schemas']['ProcessModel'][];
      utilization: components['schemas']['UtilizationModel'];
      /** Format: date-time */
      last_refreshed_at: string;
    };
    GpuDetailAnswer: {
      gpu: components['schemas']['GpuDetailModel'];
    };
    DayPointModel: {
      /**
       * @description A day (UTC) in short, such as Nov 21.
       * @example Nov 21
       */
      date: string;
      value: number;
    };
    SeverityModel: {
      /** @enum {string} */
      label: 'critical' | 'high' | 'medium' | 'low' | 'info';
      value: number;
      /** @description One a day. */
      data: components['schemas']['DayPointModel'][];
    };
    TopAlertTypeModel: {
      /** @enum {string} */
      icon:
        | 'cpu'
        | 'gpu'
        | 'chip'
        | 'transfer'
        | 'power'
        | 'memory'
        | 'lock'
        | 'thermometer'
        | 'process'
        | 'shield'
        | 'terminal'
        | 'host'
        | 'network'
        | 'container'
        | 'model'
        | 'control-plane'
        | 'vm';
      title: string;
      count: number;
    };
    AssetCoverageModel: {
      /** @enum {string} */
      label: 'GPUs' | 'Hosts' | 'Containers' | 'VMs' | 'Workspaces';
      /** @description Seen in the window. */
      count: number;
      /** @description Seen on each day. */
      data: components['schemas']['DayPointModel'][];
    };
    MetricsSummaryModel: {
      gpu_count: number;
      /** @description Percent. Null with no sample in the window. */
      avg_gpu_utilization: number | null;
      /** @description Celsius. Null with no sample in the window. */
      avg_gpu_temperature: number | null;
      /** @description W. Null with no sample in the window. */
      avg_gpu_power: number | null;
      /** @description Percent used. Null with no sample in the window. */
      avg_gpu_memory: number | null;
      /** @description Percent, of boards with fans. Null with no sample in the window. */
      avg_gpu_fan_speed: number | null;
      /** @description MHz, of the multiprocessors. Null with no sample in the window. */
      avg_clock_speed: number | null;
      /** @description MHz. Null with no sample in the window. */
      avg_memory_clock: number | null;
      /** @description 100 healthy, 50 degraded, 0 critical or missing, weighted by time. Null with no sample in the window. */
      avg_health_score: number | null;
      /** @description Celsius a minute. Null with no sample in the window. */
      avg_thermal_slope: number | null;
      total_ecc_errors: number;
      total_xid_errors: number;
      /** @description GPUs with critical XIDs less than 3 minutes apart and no healthy spell since. */
      active_crash_chains: number;
      total_throttle_events: number;
      /** @description Load average of one minute. Null with no sample in the window. */
      avg_cpu_load: number | null;
      /** @description Percent. Null with no sample in the window. */
      avg_cpu_utilization: number | null;
      process_count: number;
      /** @description Processes a second. Null with no sample in the window. */
      avg_fork_rate: number | null;
      /** @description Processes a second. Null with no sample in the window. */
      avg_exit_rate: number | null;
      container_count: number;
      gpu_container_count: number;
      mps_container_count: number;
      container_process_count: number;
      vm_count: number;
    };
    FleetMetricsModel: {
      /** @description In the order of rank. */
      alerts_by_severity: components['schemas']['SeverityModel'][];
      /** @description The most frequent first. */
      top_alert_types: components['schemas']['TopAlertTypeModel'][];
      asset_coverage: components['schemas']['AssetCoverageModel'][];
      metrics_summary: components['schemas']['MetricsSummaryModel'];
      /** @description By the summary’s keys: one point a day, null where nothing was measured. A key without any data is left out. */
      metrics_charts: {
        [key: string]: {
          /**
           * @description A day (UTC) in short, such as Nov 21.
           * @example Nov 21
           */
          date: string;
          value: number | null;
        }[];
      };
    };
    MetricsModel: {
      metrics: components['schemas']['FleetMetricsModel'];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAlerts: {
    parameters: {
      query?: {
        customer_id?: number;
        workspace_id?: number;
        api_key_id?: number;
        /** @description Begin of the window, inclusive. */
        from?: string;
        /** @description End of the window, exclusive. */
        to?: string;
        /** @description Of critical, high, medium, low, info, separated by commas. */
        'filter[severity][in]'?: string;
        /** @description Of critical, high, medium, low, info, separated by commas. */
        'filter[severity][notIn]'?: string;
        'filter[severity][equals]'?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        'filter[severity][notEquals]'?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        /** @description Of cpu_usage, gpu_usage, gpu_firmware, gpu_shader, gpu_dma, gpu_power, gpu_interrupt, gpu_command, gpu_memory, gpu_ransomware, gpu_texture, gpu_pcie, gpu_thermal, gpu_throttle, gpu_ecc, gpu_nvlink, process_anomaly, privilege_escalation, command_line_anomaly, system_info_change, network_anomaly, cpu_anomaly, kernel_oops, container_sensitive_mount, container_gpu_access, container_privileged, container_escape, container_cgroup_escape, unknown_binary_exec, rogue_ebpf, gpu_driver_access, c2_covert_channel, model_poisoning, controlplane_integrity, controlplane_credential_attack, controlplane_saturation, controlplane_slo, controlplane_etcd_storage, controlplane_kcm, vm_escape, ray_job_rce, separated by commas. */
        'filter[type][in]'?: string;
        /** @description Of cpu_usage, gpu_usage, gpu_firmware, gpu_shader, gpu_dma, gpu_power, gpu_interrupt, gpu_command, gpu_memory, gpu_ransomware, gpu_texture, gpu_pcie, gpu_thermal, gpu_throttle, gpu_ecc, gpu_nvlink, process_anomaly, privilege_escalation, command_line_anomaly, system_info_change, network_anomaly, cpu_anomaly, kernel_oops, container_sensitive_mount, container_gpu_access, container_privileged, container_escape, container_cgroup_escape, unknown_binary_exec, rogue_ebpf, gpu_driver_access, c2_covert_channel, model_poisoning, controlplane_integrity, controlplane_credential_attack, controlplane_saturation, controlplane_slo, controlplane_etcd_storage, controlplane_kcm, vm_escape, ray_job_rce, separated by commas. */
        'filter[type][notIn]'?: string;
        'filter[type][equals]'?:
          | 'cpu_usage'
          | 'gpu_usage'
          | 'gpu_firmware'
          | 'gpu_shader'
          | 'gpu_dma'
          | 'gpu_power'
          | 'gpu_interrupt'
          | 'gpu_command'
          | 'gpu_memory'
          | 'gpu_ransomware'
          | 'gpu_texture'
          | 'gpu_pcie'
          | 'gpu_thermal'
          | 'gpu_throttle'
          | 'gpu_ecc'
          | 'gpu_nvlink'
          | 'process_anomaly'
          | 'privilege_escalation'
          | 'command_line_anomaly'
          | 'system_info_change'
          | 'network_anomaly'
          | 'cpu_anomaly'
          | 'kernel_oops'
          | 'container_sensitive_mount'
          | 'container_gpu_access'
          | 'container_privileged'
          | 'container_escape'
          | 'container_cgroup_escape'
          | 'unknown_binary_exec'
          | 'rogue_ebpf'
          | 'gpu_driver_access'
          | 'c2_covert_channel'
          | 'model_poisoning'
          | 'controlplane_integrity'
          | 'controlplane_credential_attack'
          | 'controlplane_saturation'
          | 'controlplane_slo'
          | 'controlplane_etcd_storage'
          | 'controlplane_kcm'
          | 'vm_escape'
          | 'ray_job_rce';
        'filter[type][notEquals]'?:
          | 'cpu_usage'
          | 'gpu_usage'
          | 'gpu_firmware'
          | 'gpu_shader'
          | 'gpu_dma'
          | 'gpu_power'
          | 'gpu_interrupt'
          | 'gpu_command'
          | 'gpu_memory'
          | 'gpu_ransomware'
          | 'gpu_texture'
          | 'gpu_pcie'
          | 'gpu_thermal'
          | 'gpu_throttle'
          | 'gpu_ecc'
          | 'gpu_nvlink'
          | 'process_anomaly'
          | 'privilege_escalation'
          | 'command_line_anomaly'
          | 'system_info_change'
          | 'network_anomaly'
          | 'cpu_anomaly'
          | 'kernel_oops'
          | 'container_sensitive_mount'
          | 'container_gpu_access'
          | 'container_privileged'
          | 'container_escape'
          | 'container_cgroup_escape'
          | 'unknown_binary_exec'
          | 'rogue_ebpf'
          | 'gpu_driver_access'
          | 'c2_covert_channel'
          | 'model_poisoning'
          | 'controlplane_integrity'
          | 'controlplane_credential_attack'
          | 'controlplane_saturation'
          | 'controlplane_slo'
          | 'controlplane_etcd_storage'
          | 'controlplane_kcm'
          | 'vm_escape'
          | 'ray_job_rce';
        /** @description Of active, ignored, separated by commas. */
        'filter[state][in]'?: string;
        /** @description Of active, ignored, separated by commas. */
        'filter[state][notIn]'?: string;
        'filter[state][equals]'?: 'active' | 'ignored';
        'filter[state][notEquals]'?: 'active' | 'ignored';
        /** @description Case-insensitive. */
        'filter[hostname][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][notEquals]'?: string;
        /** @description Case-insensitive. */
        'filter[title][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[title][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[title][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[title][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[title][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[title][notEquals]'?: string;
        /** @description Case-insensitive. */
        'filter[description][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[description][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[description][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[description][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[description][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[description][notEquals]'?: string;
        /** @description Inclusive. */
        'filter[timestamp][gte]'?: string;
        /** @description Inclusive. */
        'filter[timestamp][lte]'?: string;
        /** @description With - it descends; severity begins with critical. Ties are the newest first, then by id; no hostname comes last. */
        sort?:
          | 'timestamp'
          | '-timestamp'
          | 'severity'
          | '-severity'
          | 'type'
          | '-type'
          | 'state'
          | '-state'
          | 'hostname'
          | '-hostname';
        /** @description Rows of a page. */
        page_size?: number;
        /** @description The next_page_token of the page before; everything but page_size must be as it was there. */
        page_token?: string;
      };
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AlertListModel'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query, or invalid_cursor */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query' | 'invalid_cursor';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  summarizeAlerts: {
    parameters: {
      query?: {
        customer_id?: number;
        workspace_id?: number;
        api_key_id?: number;
        /** @description Begin of the window, inclusive. */
        from?: string;
        /** @description End of the window, exclusive. */
        to?: string;
        /** @description Of critical, high, medium, low, info, separated by commas. */
        'filter[severity][in]'?: string;
        /** @description Of critical, high, medium, low, info, separated by commas. */
        'filter[severity][notIn]'?: string;
        'filter[severity][equals]'?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        'filter[severity][notEquals]'?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        /** @description Of cpu_usage, gpu_usage, gpu_firmware, gpu_shader, gpu_dma, gpu_power, gpu_interrupt, gpu_command, gpu_memory, gpu_ransomware, gpu_texture, gpu_pcie, gpu_thermal, gpu_throttle, gpu_ecc, gpu_nvlink, process_anomaly, privilege_escalation, command_line_anomaly, system_info_change, network_anomaly, cpu_anomaly, kernel_oops, container_sensitive_mount, container_gpu_access, container_privileged, container_escape, container_cgroup_escape, unknown_binary_exec, rogue_ebpf, gpu_driver_access, c2_covert_channel, model_poisoning, controlplane_integrity, controlplane_credential_attack, controlplane_saturation, controlplane_slo, controlplane_etcd_storage, controlplane_kcm, vm_escape, ray_job_rce, separated by commas. */
        'filter[type][in]'?: string;
        /** @description Of cpu_usage, gpu_usage, gpu_firmware, gpu_shader, gpu_dma, gpu_power, gpu_interrupt, gpu_command, gpu_memory, gpu_ransomware, gpu_texture, gpu_pcie, gpu_thermal, gpu_throttle, gpu_ecc, gpu_nvlink, process_anomaly, privilege_escalation, command_line_anomaly, system_info_change, network_anomaly, cpu_anomaly, kernel_oops, container_sensitive_mount, container_gpu_access, container_privileged, container_escape, container_cgroup_escape, unknown_binary_exec, rogue_ebpf, gpu_driver_access, c2_covert_channel, model_poisoning, controlplane_integrity, controlplane_credential_attack, controlplane_saturation, controlplane_slo, controlplane_etcd_storage, controlplane_kcm, vm_escape, ray_job_rce, separated by commas. */
        'filter[type][notIn]'?: string;
        'filter[type][equals]'?:
          | 'cpu_usage'
          | 'gpu_usage'
          | 'gpu_firmware'
          | 'gpu_shader'
          | 'gpu_dma'
          | 'gpu_power'
          | 'gpu_interrupt'
          | 'gpu_command'
          | 'gpu_memory'
          | 'gpu_ransomware'
          | 'gpu_texture'
          | 'gpu_pcie'
          | 'gpu_thermal'
          | 'gpu_throttle'
          | 'gpu_ecc'
          | 'gpu_nvlink'
          | 'process_anomaly'
          | 'privilege_escalation'
          | 'command_line_anomaly'
          | 'system_info_change'
          | 'network_anomaly'
          | 'cpu_anomaly'
          | 'kernel_oops'
          | 'container_sensitive_mount'
          | 'container_gpu_access'
          | 'container_privileged'
          | 'container_escape'
          | 'container_cgroup_escape'
          | 'unknown_binary_exec'
          | 'rogue_ebpf'
          | 'gpu_driver_access'
          | 'c2_covert_channel'
          | 'model_poisoning'
          | 'controlplane_integrity'
          | 'controlplane_credential_attack'
          | 'controlplane_saturation'
          | 'controlplane_slo'
          | 'controlplane_etcd_storage'
          | 'controlplane_kcm'
          | 'vm_escape'
          | 'ray_job_rce';
        'filter[type][notEquals]'?:
          | 'cpu_usage'
          | 'gpu_usage'
          | 'gpu_firmware'
          | 'gpu_shader'
          | 'gpu_dma'
          | 'gpu_power'
          | 'gpu_interrupt'
          | 'gpu_command'
          | 'gpu_memory'
          | 'gpu_ransomware'
          | 'gpu_texture'
          | 'gpu_pcie'
          | 'gpu_thermal'
          | 'gpu_throttle'
          | 'gpu_ecc'
          | 'gpu_nvlink'
          | 'process_anomaly'
          | 'privilege_escalation'
          | 'command_line_anomaly'
          | 'system_info_change'
          | 'network_anomaly'
          | 'cpu_anomaly'
          | 'kernel_oops'
          | 'container_sensitive_mount'
          | 'container_gpu_access'
          | 'container_privileged'
          | 'container_escape'
          | 'container_cgroup_escape'
          | 'unknown_binary_exec'
          | 'rogue_ebpf'
          | 'gpu_driver_access'
          | 'c2_covert_channel'
          | 'model_poisoning'
          | 'controlplane_integrity'
          | 'controlplane_credential_attack'
          | 'controlplane_saturation'
          | 'controlplane_slo'
          | 'controlplane_etcd_storage'
          | 'controlplane_kcm'
          | 'vm_escape'
          | 'ray_job_rce';
        /** @description Of active, ignored, separated by commas. */
        'filter[state][in]'?: string;
        /** @description Of active, ignored, separated by commas. */
        'filter[state][notIn]'?: string;
        'filter[state][equals]'?: 'active' | 'ignored';
        'filter[state][notEquals]'?: 'active' | 'ignored';
        /** @description Case-insensitive. */
        'filter[hostname][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][notEquals]'?: string;
        /** @description Case-insensitive. */
        'filter[title][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[title][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[title][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[title][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[title][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[title][notEquals]'?: string;
        /** @description Case-insensitive. */
        'filter[description][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[description][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[description][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[description][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[description][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[description][notEquals]'?: string;
        /** @description Inclusive. */
        'filter[timestamp][gte]'?: string;
        /** @description Inclusive. */
        'filter[timestamp][lte]'?: string;
      };
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AlertSummaryModel'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  trendAlerts: {
    parameters: {
      query?: {
        customer_id?: number;
        workspace_id?: number;
        api_key_id?: number;
        /** @description Begin of the window, inclusive. */
        from?: string;
        /** @description End of the window, exclusive. */
        to?: string;
        /** @description Of critical, high, medium, low, info, separated by commas. */
        'filter[severity][in]'?: string;
        /** @description Of critical, high, medium, low, info, separated by commas. */
        'filter[severity][notIn]'?: string;
        'filter[severity][equals]'?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        'filter[severity][notEquals]'?: 'critical' | 'high' | 'medium' | 'low' | 'info';
        /** @description Of cpu_usage, gpu_usage, gpu_firmware, gpu_shader, gpu_dma, gpu_power, gpu_interrupt, gpu_command, gpu_memory, gpu_ransomware, gpu_texture, gpu_pcie, gpu_thermal, gpu_throttle, gpu_ecc, gpu_nvlink, process_anomaly, privilege_escalation, command_line_anomaly, system_info_change, network_anomaly, cpu_anomaly, kernel_oops, container_sensitive_mount, container_gpu_access, container_privileged, container_escape, container_cgroup_escape, unknown_binary_exec, rogue_ebpf, gpu_driver_access, c2_covert_channel, model_poisoning, controlplane_integrity, controlplane_credential_attack, controlplane_saturation, controlplane_slo, controlplane_etcd_storage, controlplane_kcm, vm_escape, ray_job_rce, separated by commas. */
        'filter[type][in]'?: string;
        /** @description Of cpu_usage, gpu_usage, gpu_firmware, gpu_shader, gpu_dma, gpu_power, gpu_interrupt, gpu_command, gpu_memory, gpu_ransomware, gpu_texture, gpu_pcie, gpu_thermal, gpu_throttle, gpu_ecc, gpu_nvlink, process_anomaly, privilege_escalation, command_line_anomaly, system_info_change, network_anomaly, cpu_anomaly, kernel_oops, container_sensitive_mount, container_gpu_access, container_privileged, container_escape, container_cgroup_escape, unknown_binary_exec, rogue_ebpf, gpu_driver_access, c2_covert_channel, model_poisoning, controlplane_integrity, controlplane_credential_attack, controlplane_saturation, controlplane_slo, controlplane_etcd_storage, controlplane_kcm, vm_escape, ray_job_rce, separated by commas. */
        'filter[type][notIn]'?: string;
        'filter[type][equals]'?:
          | 'cpu_usage'
          | 'gpu_usage'
          | 'gpu_firmware'
          | 'gpu_shader'
          | 'gpu_dma'
          | 'gpu_power'
          | 'gpu_interrupt'
          | 'gpu_command'
          | 'gpu_memory'
          | 'gpu_ransomware'
          | 'gpu_texture'
          | 'gpu_pcie'
          | 'gpu_thermal'
          | 'gpu_throttle'
          | 'gpu_ecc'
          | 'gpu_nvlink'
          | 'process_anomaly'
          | 'privilege_escalation'
          | 'command_line_anomaly'
          | 'system_info_change'
          | 'network_anomaly'
          | 'cpu_anomaly'
          | 'kernel_oops'
          | 'container_sensitive_mount'
          | 'container_gpu_access'
          | 'container_privileged'
          | 'container_escape'
          | 'container_cgroup_escape'
          | 'unknown_binary_exec'
          | 'rogue_ebpf'
          | 'gpu_driver_access'
          | 'c2_covert_channel'
          | 'model_poisoning'
          | 'controlplane_integrity'
          | 'controlplane_credential_attack'
          | 'controlplane_saturation'
          | 'controlplane_slo'
          | 'controlplane_etcd_storage'
          | 'controlplane_kcm'
          | 'vm_escape'
          | 'ray_job_rce';
        'filter[type][notEquals]'?:
          | 'cpu_usage'
          | 'gpu_usage'
          | 'gpu_firmware'
          | 'gpu_shader'
          | 'gpu_dma'
          | 'gpu_power'
          | 'gpu_interrupt'
          | 'gpu_command'
          | 'gpu_memory'
          | 'gpu_ransomware'
          | 'gpu_texture'
          | 'gpu_pcie'
          | 'gpu_thermal'
          | 'gpu_throttle'
          | 'gpu_ecc'
          | 'gpu_nvlink'
          | 'process_anomaly'
          | 'privilege_escalation'
          | 'command_line_anomaly'
          | 'system_info_change'
          | 'network_anomaly'
          | 'cpu_anomaly'
          | 'kernel_oops'
          | 'container_sensitive_mount'
          | 'container_gpu_access'
          | 'container_privileged'
          | 'container_escape'
          | 'container_cgroup_escape'
          | 'unknown_binary_exec'
          | 'rogue_ebpf'
          | 'gpu_driver_access'
          | 'c2_covert_channel'
          | 'model_poisoning'
          | 'controlplane_integrity'
          | 'controlplane_credential_attack'
          | 'controlplane_saturation'
          | 'controlplane_slo'
          | 'controlplane_etcd_storage'
          | 'controlplane_kcm'
          | 'vm_escape'
          | 'ray_job_rce';
        /** @description Of active, ignored, separated by commas. */
        'filter[state][in]'?: string;
        /** @description Of active, ignored, separated by commas. */
        'filter[state][notIn]'?: string;
        'filter[state][equals]'?: 'active' | 'ignored';
        'filter[state][notEquals]'?: 'active' | 'ignored';
        /** @description Case-insensitive. */
        'filter[hostname][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[hostname][notEquals]'?: string;
        /** @description Case-insensitive. */
        'filter[title][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[title][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[title][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[title][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[title][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[title][notEquals]'?: string;
        /** @description Case-insensitive. */
        'filter[description][contains]'?: string;
        /** @description Case-insensitive. */
        'filter[description][notContains]'?: string;
        /** @description Case-insensitive. */
        'filter[description][startsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[description][endsWith]'?: string;
        /** @description Case-insensitive. */
        'filter[description][equals]'?: string;
        /** @description Case-insensitive. */
        'filter[description][notEquals]'?: string;
        /** @description Inclusive. */
        'filter[timestamp][gte]'?: string;
        /** @description Inclusive. */
        'filter[timestamp][lte]'?: string;
      };
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SeverityTrendModel'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  getAlert: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The alert's id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AlertDetailAnswer'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description not_found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  listTimelineEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The alert's id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TimelineAnswer'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description not_found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  listGpus: {
    parameters: {
      query?: {
        customer_id?: number;
        workspace_id?: number;
        api_key_id?: number;
        /** @description Begin of the telemetry window; default 24 hours ago. */
        from?: string;
        /** @description End of the telemetry window, exclusive; default now. */
        to?: string;
        /** @description basic leaves utilization_series out. */
        view?: 'full' | 'basic';
        /** @description At most so many rows; default all. */
        page_size?: number;
      };
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Weak; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GpuListModel'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Weak; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  getGpu: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description GPU-… or host|pci|guest, as the list gives it. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Weak; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GpuDetailAnswer'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Weak; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description not_found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'not_found';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
  getMetrics: {
    parameters: {
      query?: {
        customer_id?: number;
        workspace_id?: number;
        api_key_id?: number;
        /** @description Begin of the window, inclusive; default 90 days before its end. It widens to whole days. */
        from?: string;
        /** @description End of the window, exclusive; default now. It widens to whole days. */
        to?: string;
      };
      header?: {
        /** @description The ETag of an answer that the client has. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MetricsModel'];
        };
      };
      /** @description The client has this answer. */
      304: {
        headers: {
          /** @description The newest import of the caller's customers; absent when there was none. */
          'X-Data-As-Of'?: string;
          /** @description Strong; it follows the data of the caller's customers. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description invalid_query */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'invalid_query';
          };
        };
      };
      /** @description unauthorized */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'unauthorized';
          };
        };
      };
      /** @description too_many_requests */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description internal_server_error */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'internal_server_error';
          };
        };
      };
      /** @description upstream_error */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorBody'] & {
            /** @enum {string} */
            error?: 'upstream_error';
          };
        };
      };
    };
  };
}
