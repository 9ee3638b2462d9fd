{{/*
Pod template of an operations command, for Jobs and CronJobs:
{root, component, image, serviceAccountName, environment: rendered variables, service: values of the service,
arguments: of cli.js, or node: arguments of node, volume: {name, mountPath, source, isWritable: optional}, initContainers, resources, all optional}
*/}}
{{- define "gpu-observatory.operation" -}}
{{- include "gpu-observatory.checkContext" (list . "root" "component" "image" "service" "serviceAccountName" "environment") -}}
metadata:
  labels:
    {{- include "gpu-observatory.podLabels" (set (omit .) "podLabels" .root.Values.operations.podLabels) | nindent 4 }}
  {{- with .root.Values.operations.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ .serviceAccountName }}
  {{- include "gpu-observatory.podBasics" . | nindent 2 }}
  {{- with .initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: operation
      {{- /* The message of a failed command becomes the reason in `kubectl describe pod`. */}}
      terminationMessagePolicy: FallbackToLogsOnError
      {{- include "gpu-observatory.containerBasics" . | nindent 6 }}
      args: {{ .node | default (prepend (.arguments | default list) "dist/src/cli.js") | toJson }}
      env:
        - name: LOG_LEVEL
          value: {{ .root.Values.logLevel | quote }}
        {{- .environment | trim | nindent 8 }}
        {{- with .service.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      resources:
        {{- toYaml (.resources | default .root.Values.operations.resources) | nindent 8 }}
      {{- $mounts := include "gpu-observatory.mounts" .service }}
      {{- $volumes := include "gpu-observatory.volumes" .service }}
      {{- with .volume }}
      {{- $mounts = printf "%s\n- { name: %s, mountPath: %s, readOnly: %t }" $mounts .name .mountPath (not .isWritable) }}
      {{- $volumes = printf "%s\n%s" $volumes (list (merge (dict "name" .name) .source) | toYaml) }}
      {{- end }}
      {{- with $mounts | trim }}
      volumeMounts:
        {{- . | nindent 8 }}
      {{- end }}
  {{- with $volumes | trim }}
  volumes:
    {{- . | nindent 4 }}
  {{- end }}
  {{- with include "gpu-observatory.placement" .root.Values.operations | trim }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Specification of a Job of a hook. */}}
{{- define "gpu-observatory.hookJob" -}}
{{- with .root.Values.migrations }}
backoffLimit: {{ .backoffLimit }}
activeDeadlineSeconds: {{ .activeDeadlineSeconds }}
ttlSecondsAfterFinished: {{ .ttlSecondsAfterFinished }}
{{- end }}
template:
  {{- include "gpu-observatory.operation" . | nindent 2 }}
{{- end -}}

{{/*
A Job that runs before all other objects exist, with the NetworkPolicy that it needs, both as hooks:
{…operation, weight: Jobs with a lower weight run first}
*/}}
{{- define "gpu-observatory.firstJob" -}}
{{- $name := include "gpu-observatory.name" . }}
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
{{ include "gpu-observatory.metadata" (merge (dict "name" $name "annotations" (include "gpu-observatory.firstHook" -20 | fromYaml)) .) }}
spec:
  podSelector:
    matchLabels:
      {{- include "gpu-observatory.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with .root.Values.networkPolicy.extraIngress }}
  ingress:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  egress:
    {{- include "gpu-observatory.dnsEgress" .root | nindent 4 }}
    {{- include "gpu-observatory.egress" .service.database.egress | nindent 4 }}
    {{- with .root.Values.networkPolicy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
---
apiVersion: batch/v1
kind: Job
{{ include "gpu-observatory.metadata" (merge (dict "name" $name "annotations" (include "gpu-observatory.firstHook" .weight | fromYaml)) .) }}
spec:
  {{- include "gpu-observatory.hookJob" . | trim | nindent 2 }}
{{- end -}}

{{/* Annotations of a hook before all other objects, from its weight. */}}
{{- define "gpu-observatory.firstHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-delete-policy: before-hook-creation
helm.sh/hook-weight: {{ . | quote }}
{{- end -}}

{{/* Annotations of a hook after all other objects. */}}
{{- define "gpu-observatory.lastHook" -}}
helm.sh/hook: post-install,post-upgrade
helm.sh/hook-delete-policy: before-hook-creation
{{- end -}}

{{/* Name of the ServiceAccount of the Jobs that run before all other objects exist. */}}
{{- define "gpu-observatory.firstAccountName" -}}
{{- include "gpu-observatory.serviceAccountName" (dict "root" . "component" "migrations" "account" .Values.migrations.serviceAccount) -}}
{{- end -}}

{{- define "gpu-observatory.operationsAccountName" -}}
{{- include "gpu-observatory.serviceAccountName" (dict "root" . "component" "operations" "account" .Values.operations.serviceAccount) -}}
{{- end -}}
