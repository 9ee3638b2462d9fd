{{/* Fails if a template context lacks a key: list of the context and the keys. A missing key would render as nothing. */}}
{{- define "gpu-observatory.checkContext" -}}
{{- $context := first . -}}
{{- range rest . -}}
{{- if or (not (hasKey $context .)) (kindIs "invalid" (get $context .)) }}{{ fail (printf "a template context of the chart lacks %q" .) }}{{ end -}}
{{- end -}}
{{- end -}}

{{/*
Shortens a name that exceeds the limit, by default 63 characters: {name, limit}. The end of a shortened name is a hash of the
complete one, so that two long names never become the same.
*/}}
{{- define "gpu-observatory.shortened" -}}
{{- $limit := int (default 63 .limit) -}}
{{- if le (len .name) $limit -}}
{{- .name -}}
{{- else -}}
{{- printf "%s-%s" (.name | trunc (int (sub $limit 9)) | trimSuffix "-") (sha256sum .name | trunc 8) -}}
{{- end -}}
{{- end -}}

{{/* Prefix of object names: <release>-<chart>, of any length. Use it only through gpu-observatory.name. */}}
{{- define "gpu-observatory.prefix" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name -}}
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

{{/* Keys of everything with a public hostname: the enabled services and the console, comma-separated. */}}
{{- define "gpu-observatory.hosts" -}}
{{- $hosts := include "gpu-observatory.services" . | splitList "," | compact -}}
{{- if .Values.console.enabled }}{{ $hosts = append $hosts "console" }}{{ end -}}
{{- join "," $hosts -}}
{{- end -}}

{{/*
Context of the other templates: {root, key, values, component, name}. The component of a service is its name, for
example fleet-api. Jobs and collectors have separate components.
*/}}
{{- define "gpu-observatory.component" -}}{{ kebabcase . }}{{- end -}}

{{/* Name of an object: {root, component, suffix: optional, limit: optional}. */}}
{{- define "gpu-observatory.name" -}}
{{- include "gpu-observatory.checkContext" (list . "root" "component") -}}
{{- $parts := compact (list (include "gpu-observatory.prefix" .root) .component (default "" .suffix)) -}}
{{- include "gpu-observatory.shortened" (dict "name" (join "-" $parts) "limit" .limit) -}}
{{- end -}}

{{- define "gpu-observatory.serviceAccountName" -}}
{{- .account.name | default (ternary (include "gpu-observatory.name" .) "default" .account.create) -}}
{{- end -}}

{{/* Public URL of a host, from its values. */}}
{{- define "gpu-observatory.publicUrl" -}}
{{- .publicUrl | default (printf "https://%s" .host) -}}
{{- end -}}

{{/*
Rejects the placeholders of values.yaml once a host of the release is a real one: sign-in would fail, or pages would link to
example.com.
*/}}
{{- define "gpu-observatory.checkPlaceholders" -}}
{{- $placeholder := "(^|[/.@])example\\.com(:\\d+)?(/|$)" -}}
{{- $values := .Values -}}
{{- $urls := dict -}}
{{- range $key := list "fleetApi" "accountService" "websiteApi" -}}
{{- $isUsed := or (index $values $key).enabled $values.console.enabled (and (eq $key "accountService") $values.fleetApi.enabled) $values.websiteApi.enabled -}}
{{- if $isUsed }}{{ $_ := set $urls (printf "%s.host" $key) (include "gpu-observatory.publicUrl" (index $values $key)) }}{{ end -}}
{{- end -}}
{{- if $values.console.enabled }}{{ $_ := set $urls "console.host" (include "gpu-observatory.publicUrl" $values.console) }}{{ end -}}
{{- $real := "" -}}
{{- range $url := $urls }}{{ if not (regexMatch $placeholder $url) }}{{ $real = $url }}{{ end }}{{ end -}}
{{- if $real -}}
{{- if $values.console.enabled }}{{ $_ := set $urls "frontend.cookieDomain" $values.frontend.cookieDomain }}{{ end -}}
{{- range $index, $url := $values.frontend.urls }}{{ $_ := set $urls (printf "frontend.urls[%d]" $index) $url }}{{ end -}}
{{- if $values.websiteApi.enabled }}{{ $_ := set $urls "websiteApi.docsUrl" $values.websiteApi.docsUrl }}{{ $_ := set $urls "websiteApi.contactEmail" $values.websiteApi.contactEmail }}{{ end -}}
{{- range $name, $value := $urls -}}
{{- if regexMatch $placeholder $value }}{{ fail (printf "%s is the placeholder %s, but another host is %s: set it to your own" $name $value $real) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Rejects simulated data together with values of a real deployment. */}}
{{- define "gpu-observatory.checkDemo" -}}
{{- if .Values.demo.enabled -}}
{{- $values := .Values -}}
{{- $account := $values.accountService -}}
{{- $real := list -}}
{{- range list "ingress" "gateway" }}{{ if (index $values .).enabled }}{{ $real = append $real (printf "%s.enabled" .) }}{{ end }}{{ end -}}
{{- range list "github" "google" "oidc" }}{{ if (index $account .).enabled }}{{ $real = append $real (printf "accountService.%s.enabled" .) }}{{ end }}{{ end -}}
{{- if or $account.tenants.declaration $account.tenants.existingConfigMap }}{{ $real = append $real "accountService.tenants" }}{{ end -}}
{{- if $values.collectors.fleets }}{{ $real = append $real "collectors.fleets" }}{{ end -}}
{{- range list "fleetApi" "accountService" "websiteApi" "console" -}}
{{- $host := index $values . -}}
{{- if not (hasSuffix ".example.com" $host.host) }}{{ $real = append $real (printf "%s.host" .) }}{{ end -}}
{{- if not (regexMatch "^(http://localhost(:\\d+)?)?$" $host.publicUrl) }}{{ $real = append $real (printf "%s.publicUrl" .) }}{{ end -}}
{{- end -}}
{{- with $real }}{{ fail (printf "demo.enabled imports simulated data into customer 1, which is only for a trial like examples/values-trial.yaml: set it to false, or remove %s" (join ", " .)) }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* In-cluster URLs of account-service. */}}
{{- define "gpu-observatory.jwksUrl" -}}
{{- if .Values.accountService.enabled -}}
http://{{ include "gpu-observatory.name" (dict "root" . "component" "account-service") }}/.well-known/jwks.json
{{- else -}}
{{- required "accountService.external.jwksUrl is required if accountService.enabled is false" .Values.accountService.external.jwksUrl -}}
{{- end -}}
{{- end -}}

{{- define "gpu-observatory.accountInternalUrl" -}}
{{- if .Values.accountService.enabled -}}
{{ ternary "https" "http" (ne .Values.accountService.internalTls.existingSecret "") }}://{{ include "gpu-observatory.name" (dict "root" . "component" "account-service" "suffix" "internal") }}:9091
{{- else -}}
{{- required "accountService.external.internalUrl is required if accountService.enabled is false" .Values.accountService.external.internalUrl -}}
{{- end -}}
{{- end -}}
