{{/* Names of objects: <release>-<chart>, shortened so that the longest suffix still fits into 63 characters. */}}
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

{{/* The services that are on, comma-separated, by their key in the values. */}}
{{- define "gpu-observatory.services" -}}
{{- $enabled := list -}}
{{- range $key := list "fleetApi" "accountService" "websiteApi" -}}
{{- if (index $.Values $key).enabled }}{{ $enabled = append $enabled $key }}{{ end -}}
{{- end -}}
{{- join "," $enabled -}}
{{- end -}}

{{/*
What the other templates are given: {root, key, values, component, name}. A service's component is its name,
fleet-api say; what runs beside it has one of its own.
*/}}
{{- define "gpu-observatory.component" -}}{{ kebabcase . }}{{- end -}}

{{- define "gpu-observatory.name" -}}
{{- printf "%s-%s" (include "gpu-observatory.fullname" .root) .component -}}
{{- end -}}

{{- define "gpu-observatory.serviceAccountName" -}}
{{- .account.name | default (ternary (include "gpu-observatory.name" .) "default" .account.create) -}}
{{- end -}}

{{/* host:port of our Services, as pods reach them. */}}
{{- define "gpu-observatory.accountServiceName" -}}
{{- printf "%s-account-service" (include "gpu-observatory.fullname" .) -}}
{{- end -}}

{{- define "gpu-observatory.jwksUrl" -}}
{{- if .Values.accountService.enabled -}}
http://{{ include "gpu-observatory.accountServiceName" . }}/.well-known/jwks.json
{{- else -}}
{{- required "accountService.elsewhere.jwksUrl is needed where accountService is not enabled" .Values.accountService.elsewhere.jwksUrl -}}
{{- end -}}
{{- end -}}

{{- define "gpu-observatory.accountInternalUrl" -}}
{{- if .Values.accountService.enabled -}}
http://{{ include "gpu-observatory.accountServiceName" . }}-internal:9091
{{- else -}}
{{- required "accountService.elsewhere.internalUrl is needed where accountService is not enabled" .Values.accountService.elsewhere.internalUrl -}}
{{- end -}}
{{- end -}}
