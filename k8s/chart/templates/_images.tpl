{{/* {root, image: {repository, tag, digest}}: a digest takes precedence over any tag. */}}
{{- define "gpu-observatory.image" -}}
{{- include "gpu-observatory.checkContext" (list . "root" "image") -}}
{{- $values := .root.Values -}}
{{- $registry := $values.global.imageRegistry | default $values.image.registry -}}
{{- $repository := ternary (printf "%s/%s" $registry .image.repository) .image.repository (ne $registry "") -}}
{{- if .image.digest -}}
{{- printf "%s@%s" $repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (.image.tag | default $values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* Rejects an empty registry once the hosts are no longer placeholders: pods would pull from docker.io. */}}
{{- define "gpu-observatory.checkRegistry" -}}
{{- if not (.Values.global.imageRegistry | default .Values.image.registry) -}}
{{- range $key := include "gpu-observatory.services" . | splitList "," | compact -}}
{{- $host := (index $.Values $key).host -}}
{{- if not (hasSuffix ".example.com" $host) -}}
{{- fail (printf "image.registry is required for %s: set it to the registry of your images, or to docker.io for images that are loaded into the nodes" $host) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* global.imagePullSecrets may be a list of names, as in other charts. */}}
{{- define "gpu-observatory.pullSecrets" -}}
{{- $secrets := list -}}
{{- range concat .Values.image.pullSecrets .Values.global.imagePullSecrets -}}
{{- $secrets = append $secrets (ternary (dict "name" .) . (kindIs "string" .)) -}}
{{- end -}}
{{- with uniq $secrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
