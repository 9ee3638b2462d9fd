{{/* Common pod settings: no API server token, restricted security context, no environment variables of Services. */}}
{{- define "gpu-observatory.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- include "gpu-observatory.pullSecrets" .root }}
securityContext:
  {{- toYaml .root.Values.pods.securityContext | nindent 2 }}
{{- end -}}

{{- define "gpu-observatory.containerBasics" -}}
image: {{ include "gpu-observatory.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  {{- toYaml .root.Values.pods.containerSecurityContext | nindent 2 }}
{{- end -}}

{{/*
Number of replicas: {root, name, values: of the service}. With autoscaling it is the live number within the limits of the
autoscaler, and with replicas null the live number, which another autoscaler sets. Omitting it would make an upgrade remove the number of the previous release, which Kubernetes replaces by 1, and
would leave a Deployment at 0, which no autoscaler changes. `helm template` and GitOps controllers read no live objects, so
they omit it.
*/}}
{{- define "gpu-observatory.replicas" -}}
{{- $autoscaling := .values.autoscaling -}}
{{- $isFixed := not (kindIs "invalid" .values.replicas) -}}
{{- if and $isFixed (not $autoscaling.enabled) -}}
{{ .values.replicas }}
{{- else -}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace "" -}}
{{- if $live -}}
{{- $replicas := 0 -}}
{{- range $live.items }}{{ if eq .metadata.name $.name }}{{ $replicas = int (dig "spec" "replicas" 1 .) }}{{ end }}{{ end -}}
{{ ternary (min (max $replicas $autoscaling.minReplicas) $autoscaling.maxReplicas) $replicas $autoscaling.enabled }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gpu-observatory.spread" -}}
{{- $context := . -}}
{{- with .values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  - {{ merge (dict) . (dict "labelSelector" (dict "matchLabels" (include "gpu-observatory.selectorLabels" $context | fromYaml))) | toYaml | nindent 4 | trim }}
  {{- end }}
{{- else }}
{{- with .root.Values.pods }}
{{- if or .spreadOverZones .spreadOverNodes }}
topologySpreadConstraints:
  {{- range $key, $when := dict "topology.kubernetes.io/zone" .spreadOverZones "kubernetes.io/hostname" .spreadOverNodes }}
  {{- if $when }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $when }}
    # Counts only pods of one revision, so that the spread also holds after a rollout.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "gpu-observatory.selectorLabels" $context | nindent 8 }}
  {{- end }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "gpu-observatory.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Mounts of all pods of a service, from its values: CA of the database, XID table, certificate of the internal port, extraVolumeMounts. */}}
{{- define "gpu-observatory.mounts" -}}
{{- if dig "database" "authority" "existingSecret" "" . }}
- name: database-authority
  mountPath: /etc/database-authority
  readOnly: true
{{- end }}
{{- if dig "xidTable" "existingConfigMap" "" . }}
- name: xid-table
  mountPath: /etc/gpu-observatory
  readOnly: true
{{- end }}
{{- if dig "internalTls" "existingSecret" "" . }}
- name: internal-tls
  mountPath: /etc/gpu-observatory/internal-tls
  readOnly: true
{{- end }}
{{- with .extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gpu-observatory.volumes" -}}
{{- with dig "database" "authority" dict . }}
{{- if .existingSecret }}
- name: database-authority
  secret:
    secretName: {{ .existingSecret }}
    # A pod whose database URLs need no CA starts without it.
    optional: true
    items: [{ key: {{ .key }}, path: ca.crt }]
{{- end }}
{{- end }}
{{- if dig "xidTable" "existingConfigMap" "" . }}
- name: xid-table
  configMap:
    name: {{ .xidTable.existingConfigMap }}
{{- end }}
{{- if dig "internalTls" "existingSecret" "" . }}
- name: internal-tls
  secret:
    secretName: {{ .internalTls.existingSecret }}
{{- end }}
{{- with .extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
