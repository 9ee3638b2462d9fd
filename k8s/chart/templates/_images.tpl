{{/* {root, image: {repository, tag, digest}}: a digest takes precedence over any tag. */}}
{{- define "gpu-observatory.image" -}}
{{- $values := .root.Values -}}
{{- $registry := $values.global.imageRegistry | default $values.image.registry -}}
{{- $repository := ternary (printf "%s/%s" $registry .image.repository) .image.repository (ne $registry "") -}}
{{- if .image.digest -}}
{{- printf "%s@%s" $repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (.image.tag | default $values.image.tag | default .root.Chart.AppVersion) -}}
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
