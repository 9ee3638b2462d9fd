{{/* NetworkPolicy rules, each as one list item. */}}

{{/* {to, ports}. An empty `to` allows all peers. */}}
{{- define "gpu-observatory.egress" -}}
- {{ with .to }}to:
    {{- toYaml . | nindent 4 }}
  {{ end }}ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}

{{- define "gpu-observatory.dnsEgress" -}}
- {{ with .Values.networkPolicy.dnsTo }}to:
    {{- toYaml . | nindent 4 }}
  {{ end }}ports:
    {{- range .Values.networkPolicy.dnsPorts }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}

{{/* Egress to account-service: {root, ports: container ports}. */}}
{{- define "gpu-observatory.accountServiceEgress" -}}
{{- if .root.Values.accountService.enabled -}}
- to:
    - podSelector:
        matchLabels:
          {{- include "gpu-observatory.selectorLabels" (dict "root" .root "component" "account-service") | nindent 10 }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- else -}}
{{ include "gpu-observatory.egress" .root.Values.accountService.external.egress }}
{{- end -}}
{{- end -}}
