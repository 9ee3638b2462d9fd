{{/* Immutable labels of the pods of a component. */}}
{{- define "gpu-observatory.selectorLabels" -}}
{{- include "gpu-observatory.checkContext" (list . "root" "component") -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Labels of all pods of the release. */}}
{{- define "gpu-observatory.releaseLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gpu-observatory.labels" -}}
{{ include "gpu-observatory.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ include "gpu-observatory.shortened" (dict "name" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_")) }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
Labels of the pods of a component. Without versions, because a new label value replaces every pod, also when only the chart
has changed.
*/}}
{{- define "gpu-observatory.podLabels" -}}
{{ include "gpu-observatory.selectorLabels" . }}
{{- with merge (dict) (.podLabels | default dict) .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Metadata of an object: {…, name, annotations, labels}. */}}
{{- define "gpu-observatory.metadata" -}}
{{- include "gpu-observatory.checkContext" (list . "root" "component" "name") -}}
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "gpu-observatory.labels" . | nindent 4 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
