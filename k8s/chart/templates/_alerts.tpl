{{/* One alert: {rule: the values, namespace, name, severity, for, expression, summary}. Its heading in docs/operating.md is its name. */}}
{{- define "gpu-observatory.alert" -}}
- alert: {{ .name }}
  expr: |-
    {{- .expression | nindent 4 }}
  for: {{ .for }}
  labels:
    severity: {{ .severity }}
    namespace: {{ .namespace }}
  annotations:
    summary: {{ .summary | quote }}
    {{- with .rule.runbookUrl }}
    runbook_url: {{ printf "%s#%s" . (lower $.name) }}
    {{- end }}
{{- end -}}
