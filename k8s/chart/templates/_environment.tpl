{{/* Environment variables. `cli.js config` of each service lists the variables that it reads. */}}

{{- define "gpu-observatory.secretVariable" -}}
{{- include "gpu-observatory.checkContext" (list . "variable" "reference") -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .reference.existingSecret }}
      key: {{ .reference.key }}
      {{- /* The command fails with the name of the variable. A required reference would keep the pod waiting without a message. */}}
      {{- if .isOptional }}
      optional: true
      {{- end }}
{{- end -}}

{{/*
Rejects an install whose Secrets or keys are missing: its pods would wait without a message. Skipped where helm reads no cluster
(`helm template`, GitOps), and for Secrets that an extra object creates.
*/}}
{{- define "gpu-observatory.checkSecrets" -}}
{{- $root := . -}}
{{- $live := ternary (lookup "v1" "Secret" .Release.Namespace "") dict .Values.checkSecrets -}}
{{- if $live -}}
{{- $keys := dict -}}
{{- range $live.items }}{{ $_ := set $keys .metadata.name (.data | default dict) }}{{ end -}}
{{- $extra := toYaml .Values.extraObjects -}}
{{- $missing := list -}}
{{- range include "gpu-observatory.requiredSecrets" . | splitList "\n" | compact | uniq -}}
{{- $parts := splitList "/" (trim .) -}}
{{- if not (or (hasKey (get $keys (first $parts) | default dict) (last $parts)) (contains (first $parts) $extra)) -}}
{{- $missing = append $missing (printf "key %s of Secret %s" (last $parts) (first $parts)) -}}
{{- end -}}
{{- end -}}
{{- with $missing }}{{ fail (printf "missing in namespace %s: %s. See step 3 of k8s/README.md" $root.Release.Namespace (join ", " .)) }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Secrets and keys of the release, `name/key` one per line: each {existingSecret, key} in the values of what is enabled. */}}
{{- define "gpu-observatory.requiredSecrets" -}}
{{- $values := .Values -}}
{{- range $key := include "gpu-observatory.services" . | splitList "," | compact -}}
{{- $service := index $values $key -}}
{{- $references := list ($service.database.url) $service.database.ownerUrl $service.database.administratorUrl -}}
{{- with $service.internalCredential }}{{ $references = append $references (ternary . $values.internalCredential (ne .existingSecret "")) }}{{ end -}}
{{- if eq $key "fleetApi" }}{{ $references = concat $references (list $service.database.readOnlyUrl $service.database.importerUrl) }}{{ end -}}
{{- if eq $key "websiteApi" }}{{ $references = append $references $service.smtp }}{{ end -}}
{{- if eq $key "accountService" -}}
{{- $references = concat $references (list $values.internalCredential $service.signingKeySecret) -}}
{{- if $service.administrator.email }}{{ $references = append $references $service.administrator.password }}{{ end -}}
{{- range $provider := list $service.github $service.google $service.oidc -}}
{{- if $provider.enabled -}}
{{- range list $provider.clientIdKey $provider.clientSecretKey }}{{ $references = append $references (dict "existingSecret" $provider.existingSecret "key" .) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $references }}{{ if .existingSecret }}
{{ .existingSecret }}/{{ .key }}{{ end }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Renders {variable: value} without empty values. */}}
{{- define "gpu-observatory.variables" -}}
{{- range $variable, $value := . }}
{{- if ne (toString $value) "" }}
- name: {{ $variable }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "gpu-observatory.allowedOrigins" -}}
{{- $origins := .Values.frontend.allowedOrigins -}}
{{- if not $origins -}}
{{- range .Values.frontend.urls }}{{ $origins = append $origins (regexFind "^https?://[^/]+" .) }}{{ end -}}
{{- end -}}
{{- $origins | uniq | join "," -}}
{{- end -}}

{{- define "gpu-observatory.sharedEnvironment" -}}
{{- $values := .root.Values -}}
{{- include "gpu-observatory.variables" (dict
  "HOST" $values.listenAddress
  "PORT" 8080
  "MANAGEMENT_PORT" 9090
  "TRUSTED_PROXIES" (join "," $values.trustedProxies)
  "ALLOWED_ORIGINS" (include "gpu-observatory.allowedOrigins" .root)
  "LOG_LEVEL" $values.logLevel
  "RESPONSE_COMPRESSION" $values.responseCompression
  "DATABASE_POOL_SIZE" .values.database.poolSize
  "DATABASE_NAMED_STATEMENTS" .values.database.namedStatements
  "SHUTDOWN_DRAIN_SECONDS" $values.pods.drainSeconds
) }}
{{- end -}}

{{/* {root, values}: the credential of the service, by default the one that all services share. */}}
{{- define "gpu-observatory.internalCredential" -}}
{{- $own := .values.internalCredential | default dict -}}
{{ include "gpu-observatory.secretVariable" (dict "variable" "INTERNAL_CREDENTIAL" "reference" (ternary $own .root.Values.internalCredential (ne ($own.existingSecret | default "") ""))) }}
{{- end -}}

{{- define "gpu-observatory.environment.fleetApi" -}}
{{- $root := .root -}}
{{- $database := .values.database -}}
{{ include "gpu-observatory.secretVariable" (dict "variable" "DATABASE_URL" "reference" (ternary $database.readOnlyUrl $database.url (ne $database.readOnlyUrl.existingSecret ""))) }}
{{ include "gpu-observatory.internalCredential" . }}
{{- include "gpu-observatory.variables" (dict
  "PUBLIC_URL" (include "gpu-observatory.publicUrl" .values)
  "TOKEN_ISSUER" (include "gpu-observatory.publicUrl" $root.Values.accountService)
  "TOKEN_AUDIENCE" $root.Values.tokenAudience
  "JWKS_URL" (include "gpu-observatory.jwksUrl" $root)
  "ACCOUNT_INTERNAL_URL" (include "gpu-observatory.accountInternalUrl" $root)
  "COOKIE_DOMAIN" $root.Values.frontend.cookieDomain
  "SITE_URL" (include "gpu-observatory.siteUrl" $root)
  "CUSTOMER_CONCURRENT_READS" .values.customerReads.concurrent
  "CUSTOMER_CONCURRENT_SLOW_READS" .values.customerReads.slow
  "REVOCATION_STALENESS_LIMIT_SECONDS" .values.revocations.stalenessLimitSeconds
  "REVOCATION_STALENESS_NOT_READY" .values.revocations.notReadyWhenStale
  "RESPONSE_CACHE_MB" .values.responseCacheMegabytes
  "STANDBY_LAG_LIMIT_SECONDS" $database.standbyLagLimitSeconds
  "XID_TABLE_FILE" (include "gpu-observatory.xidTableFile" .values.xidTable)
) }}
{{- end -}}

{{/* Empty without the website. */}}
{{- define "gpu-observatory.siteUrl" -}}
{{- with .Values.websiteApi }}{{ if .enabled }}{{ include "gpu-observatory.publicUrl" . }}{{ end }}{{ end -}}
{{- end -}}

{{- define "gpu-observatory.xidTableFile" -}}
{{- if .existingConfigMap }}/etc/gpu-observatory/{{ .key }}{{ end -}}
{{- end -}}

{{- define "gpu-observatory.environment.accountService" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- if not (or $values.github.enabled $values.google.enabled $values.oidc.enabled $values.passwordSignIn) }}
{{- fail "accountService needs a way to sign in: enable accountService.github, accountService.google, accountService.oidc or accountService.passwordSignIn" }}
{{- end -}}
{{ include "gpu-observatory.secretVariable" (dict "variable" "DATABASE_URL" "reference" $values.database.url) }}
{{ include "gpu-observatory.internalCredential" . }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "SIGNING_KEY_SECRET" "reference" $values.signingKeySecret) }}
{{- include "gpu-observatory.variables" (dict
  "PUBLIC_URL" (include "gpu-observatory.publicUrl" $values)
  "INTERNAL_PORT" 9091
  "INTERNAL_TLS_CERT_FILE" (ternary "/etc/gpu-observatory/internal-tls/tls.crt" "" (ne $values.internalTls.existingSecret ""))
  "INTERNAL_TLS_KEY_FILE" (ternary "/etc/gpu-observatory/internal-tls/tls.key" "" (ne $values.internalTls.existingSecret ""))
  "TOKEN_AUDIENCE" $root.Values.tokenAudience
  "SIGNING_KEY_MAX_AGE_DAYS" $values.signingKeyMaxAgeDays
  "FRONTEND_URLS" (join "," $root.Values.frontend.urls)
  "COOKIE_DOMAIN" $root.Values.frontend.cookieDomain
  "SITE_URL" (include "gpu-observatory.siteUrl" $root)
  "PASSWORD_SIGN_IN" $values.passwordSignIn
) }}
{{- with $values.github }}
{{- if .enabled }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "GITHUB_CLIENT_ID" "reference" (dict "existingSecret" .existingSecret "key" .clientIdKey)) }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "GITHUB_CLIENT_SECRET" "reference" (dict "existingSecret" .existingSecret "key" .clientSecretKey)) }}
{{- include "gpu-observatory.variables" (dict
  "GITHUB_AUTHORIZATION_URL" .authorizationUrl
  "GITHUB_TOKEN_URL" .tokenUrl
  "GITHUB_USER_URL" .userUrl
  "GITHUB_EMAILS_URL" .emailsUrl
) }}
{{- end }}
{{- end }}
{{- with $values.google }}
{{- if .enabled }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "GOOGLE_CLIENT_ID" "reference" (dict "existingSecret" .existingSecret "key" .clientIdKey)) }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "GOOGLE_CLIENT_SECRET" "reference" (dict "existingSecret" .existingSecret "key" .clientSecretKey)) }}
{{- include "gpu-observatory.variables" (dict
  "GOOGLE_AUTHORIZATION_URL" .authorizationUrl
  "GOOGLE_TOKEN_URL" .tokenUrl
  "GOOGLE_USERINFO_URL" .userinfoUrl
) }}
{{- end }}
{{- end }}
{{- with $values.oidc }}
{{- if .enabled }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "OIDC_CLIENT_ID" "reference" (dict "existingSecret" .existingSecret "key" .clientIdKey)) }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "OIDC_CLIENT_SECRET" "reference" (dict "existingSecret" .existingSecret "key" .clientSecretKey)) }}
{{- if not .domains }}
{{- fail "accountService.oidc.domains is required if accountService.oidc.enabled is true: email domains whose users the issuer may sign in" }}
{{- end }}
{{- include "gpu-observatory.variables" (dict
  "OIDC_ISSUER" (required "accountService.oidc.issuer is required if accountService.oidc.enabled is true" .issuer)
  "OIDC_DOMAINS" (join "," .domains)
  "OIDC_TRUSTED_DOMAINS" (join "," .trustedDomains)
  "OIDC_PROMPT" .prompt
  "OIDC_NAME" .name
  "OIDC_ACR_VALUES" (join " " .acrValues)
) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "gpu-observatory.environment.console" -}}
{{- $values := .root.Values -}}
{{- $origin := include "gpu-observatory.publicUrl" .values -}}
{{- if not (has $origin $values.frontend.urls) }}
{{- fail (printf "frontend.urls must contain %s, the origin of the console" $origin) }}
{{- end -}}
{{- $hosts := list -}}
{{- range list "console" "fleetApi" "accountService" }}{{ $hosts = append $hosts (include "gpu-observatory.publicUrl" (index $values .) | urlParse | dig "hostname" "") }}{{ end -}}
{{- /* A cookie without a domain is sent to all ports of its host. */ -}}
{{- range ternary (list) $hosts (eq (uniq $hosts | len) 1) }}
{{- if not (and $values.frontend.cookieDomain (hasSuffix (printf ".%s" $values.frontend.cookieDomain) .)) }}
{{- fail (printf "the console needs frontend.cookieDomain: the parent domain of console.host, fleetApi.host and accountService.host, thus also of %s" .) }}
{{- end -}}
{{- end -}}
{{- include "gpu-observatory.variables" (dict
  "HOST" $values.listenAddress
  "PORT" 8080
  "MANAGEMENT_PORT" 9090
  "FLEET_URL" (include "gpu-observatory.publicUrl" $values.fleetApi)
  "ACCOUNT_URL" (include "gpu-observatory.publicUrl" $values.accountService)
  "SITE_URL" (include "gpu-observatory.publicUrl" $values.websiteApi)
) }}
{{- end -}}

{{- define "gpu-observatory.environment.websiteApi" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{ include "gpu-observatory.secretVariable" (dict "variable" "DATABASE_URL" "reference" $values.database.url) }}
{{ include "gpu-observatory.internalCredential" . }}
{{- if $values.smtp.existingSecret }}
{{ include "gpu-observatory.secretVariable" (dict "variable" "SMTP_URL" "reference" $values.smtp) }}
{{- end }}
{{- include "gpu-observatory.variables" (dict
  "SITE_URL" (include "gpu-observatory.publicUrl" $values)
  "DOCS_URL" ($values.docsUrl | default (printf "%s/developers" (include "gpu-observatory.publicUrl" $values)))
  "SIGN_IN_URL" ($values.signInUrl | default (ternary (include "gpu-observatory.publicUrl" $root.Values.console) "" $root.Values.console.enabled))
  "AGENT_FRONTEND_URL" $values.agentFrontendUrl
  "FLEET_URL" (include "gpu-observatory.publicUrl" $root.Values.fleetApi)
  "ACCOUNT_URL" (include "gpu-observatory.publicUrl" $root.Values.accountService)
  "CONTACT_EMAIL" $values.contactEmail
  "CONTACT_FROM" $values.smtp.from
  "ACCOUNT_INTERNAL_URL" (include "gpu-observatory.accountInternalUrl" $root)
) }}
{{- end -}}
