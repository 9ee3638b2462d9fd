{{/* An alert: {rule: values.prometheusRule, namespace, name, severity, for, expression, summary}. docs/operating.md has a heading with its name. */}}
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
