{{/* Names of the Deployments with /metrics, comma-separated. */}}
{{- define "gpu-observatory.components" -}}
{{- $components := list -}}
{{- range include "gpu-observatory.services" . | splitList "," | compact }}{{ $components = append $components (include "gpu-observatory.component" .) }}{{ end -}}
{{- if .Values.fleetApi.enabled -}}
{{- range .Values.collectors.fleets }}{{ $components = append $components (printf "collector-%s" .name) }}{{ end -}}
{{- end -}}
{{- join "," $components -}}
{{- end -}}

{{/* What alerts.yaml replaces, as YAML. */}}
{{- define "gpu-observatory.alertVariables" -}}
{{- $root := . -}}
{{- $namespace := printf "namespace=%q" .Release.Namespace -}}
{{- $release := printf "%s,release=%q" $namespace .Release.Name -}}
{{- $deployments := list -}}
{{- $absent := list -}}
{{- $jobs := list -}}
{{- range include "gpu-observatory.components" . | splitList "," | compact -}}
{{- $deployments = append $deployments (include "gpu-observatory.name" (dict "root" $root "component" .)) -}}
{{- $absent = append $absent (printf "absent(up{%s,job=%q} == 1)" $release .) -}}
{{- end -}}
{{- if .Values.console.enabled }}{{ $deployments = append $deployments (include "gpu-observatory.name" (dict "root" $root "component" "console")) }}{{ end -}}
{{- range $component := list "fleet-api" "account-service" "website-api" -}}
{{- range list "migration" "database-preparation" "tenants" "content" -}}
{{- $jobs = append $jobs (include "gpu-observatory.name" (dict "root" $root "component" $component "suffix" .)) -}}
{{- end -}}
{{- end -}}
{{- $cronJobs := dict -}}
{{- range $component, $suffixes := dict "fleet-api" (list "partitions" "retention") "account-service" (list "clean-up") -}}
{{- range $suffixes -}}
{{- $name := include "gpu-observatory.name" (dict "root" $root "component" $component "suffix" . "limit" 52) -}}
{{- $jobs = append $jobs (printf "%s-[0-9]+" $name) -}}
{{- $_ := set $cronJobs . $name -}}
{{- end -}}
{{- end -}}
{{- dict
  "$RELEASE" $release
  "$NAMESPACE" $namespace
  "$DEPLOYMENTS" (join "|" $deployments)
  "$JOBS" (join "|" $jobs)
  "$PARTITIONS" (get $cronJobs "partitions")
  "$MAINTENANCE" (printf "%s|%s" (get $cronJobs "retention") (get $cronJobs "clean-up"))
  "$ABSENT" (join "\nor " $absent)
  "$BUDGET" (printf "%g" (divf (subf 100 .Values.prometheusRule.availabilityTargetPercent) 100))
| toYaml -}}
{{- end -}}
