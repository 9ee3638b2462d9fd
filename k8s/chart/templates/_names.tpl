{{/* Prefix of object names: <release>-<chart>, truncated so that the longest suffix fits into 63 characters. */}}
{{- define "gpu-observatory.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 26 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 26 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 26 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Keys of the enabled services in the values, comma-separated. */}}
{{- define "gpu-observatory.services" -}}
{{- $enabled := list -}}
{{- range $key := list "fleetApi" "accountService" "websiteApi" -}}
{{- if (index $.Values $key).enabled }}{{ $enabled = append $enabled $key }}{{ end -}}
{{- end -}}
{{- join "," $enabled -}}
{{- end -}}

{{/*
Context of the other templates: {root, key, values, component, name}. The component of a service is its name, for
example fleet-api. Jobs and collectors have separate components.
*/}}
{{- define "gpu-observatory.component" -}}{{ kebabcase . }}{{- end -}}

{{- define "gpu-observatory.name" -}}
{{- printf "%s-%s" (include "gpu-observatory.fullname" .root) .component -}}
{{- end -}}

{{- define "gpu-observatory.serviceAccountName" -}}
{{- .account.name | default (ternary (include "gpu-observatory.name" .) "default" .account.create) -}}
{{- end -}}

{{/* In-cluster URLs of account-service. */}}
{{- define "gpu-observatory.accountServiceName" -}}
{{- printf "%s-account-service" (include "gpu-observatory.fullname" .) -}}
{{- end -}}

{{- define "gpu-observatory.jwksUrl" -}}
{{- if .Values.accountService.enabled -}}
http://{{ include "gpu-observatory.accountServiceName" . }}/.well-known/jwks.json
{{- else -}}
{{- required "accountService.external.jwksUrl is required if accountService.enabled is false" .Values.accountService.external.jwksUrl -}}
{{- end -}}
{{- end -}}

{{- define "gpu-observatory.accountInternalUrl" -}}
{{- if .Values.accountService.enabled -}}
{{ ternary "https" "http" (ne .Values.accountService.internalTls.existingSecret "") }}://{{ include "gpu-observatory.accountServiceName" . }}-internal:9091
{{- else -}}
{{- required "accountService.external.internalUrl is required if accountService.enabled is false" .Values.accountService.external.internalUrl -}}
{{- end -}}
{{- end -}}
