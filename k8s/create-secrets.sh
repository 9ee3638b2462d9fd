#!/bin/sh
# Creates the Secrets of the chart in the current namespace, with random passwords, and prints their names. Stops at the first one
# that exists: before a new run, delete those of the failed one.
#
#   PRIMARY, POOLED, STANDBYS   host:port of PostgreSQL; default: those of examples/cloudnative-pg.yaml
#   TLS                         parameters of the URLs; default: verify the certificate with the Secret observatory-ca
#   GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GOOGLE_…, OIDC_…, SMTP_URL   optional
#   TRIAL=true                  for examples/values-trial.yaml: also the administrators of PostgreSQL and of the service
set -eu
DATABASE=gpu_observatory
if [ "${TRIAL:-}" = true ]; then PRIMARY=postgres:5432 POOLED=postgres:5432 STANDBYS=postgres:5432 TLS=; fi
PRIMARY=${PRIMARY:-observatory-rw:5432}
POOLED=${POOLED:-observatory-pooler-rw:5432}
STANDBYS=${STANDBYS:-observatory-pooler-ro:5432}
TLS=${TLS-"sslmode=verify-full&sslrootcert=/etc/database-authority/ca.crt"}

for name in GITHUB_CLIENT_ID GITHUB_CLIENT_SECRET GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET OIDC_CLIENT_ID OIDC_CLIENT_SECRET SMTP_URL; do
  case $(printenv $name) in *…*)
    echo "$name is the placeholder …: export your own value, or unset it" >&2
    exit 1
    ;;
  esac
done

random() { openssl rand -hex 32; }
url() { echo "postgres://$1:$2@$3/$DATABASE${TLS:+?$TLS}"; }
# Passes the values on standard input: command lines are visible to all users of the machine.
secret() {
  name=$1
  shift
  for pair; do
    # Without the values that are not set.
    [ -z "${pair#*=}" ] || printf '%s\n' "$pair"
  done | kubectl create secret generic "$name" --from-env-file=/dev/stdin
}

FLEET=$(random)
secret fleet-api-database \
  DATABASE_URL="$(url fleet_api "$FLEET" "$PRIMARY")" \
  READ_ONLY_DATABASE_URL="$(url fleet_api "$FLEET" "$STANDBYS")"
secret fleet-api-operations \
  OWNER_DATABASE_URL="$(url fleet_owner "$(random)" "$PRIMARY")" \
  IMPORTER_DATABASE_URL="$(url fleet_importer "$(random)" "$PRIMARY")"
secret account-service-database DATABASE_URL="$(url account_service "$(random)" "$POOLED")"
secret account-service-operations OWNER_DATABASE_URL="$(url account_owner "$(random)" "$PRIMARY")"
secret website-api-database DATABASE_URL="$(url website_api "$(random)" "$POOLED")"
secret website-api-operations OWNER_DATABASE_URL="$(url website_owner "$(random)" "$PRIMARY")"
secret gpu-observatory-internal INTERNAL_CREDENTIAL="$(random)"
secret account-service \
  SIGNING_KEY_SECRET="$(random)" \
  ADMINISTRATOR_PASSWORD="$(random)" \
  GITHUB_CLIENT_ID="${GITHUB_CLIENT_ID:-}" GITHUB_CLIENT_SECRET="${GITHUB_CLIENT_SECRET:-}" \
  GOOGLE_CLIENT_ID="${GOOGLE_CLIENT_ID:-}" GOOGLE_CLIENT_SECRET="${GOOGLE_CLIENT_SECRET:-}" \
  OIDC_CLIENT_ID="${OIDC_CLIENT_ID:-}" OIDC_CLIENT_SECRET="${OIDC_CLIENT_SECRET:-}"
if [ -n "${SMTP_URL:-}" ]; then secret website-api-smtp SMTP_URL="$SMTP_URL"; fi
if [ "${TRIAL:-}" = true ]; then
  POSTGRES=$(random)
  secret observatory-app uri="$(url postgres "$POSTGRES" "$PRIMARY")" password="$POSTGRES"
fi
