#!/bin/sh
# Prints compose.env.example with a random value for each secret except those of sign-in providers.
while IFS= read -r line; do
  case $line in
  GITHUB_* | GOOGLE_* | OIDC_*) ;;
  *_PASSWORD= | *_CREDENTIAL= | *_SECRET=) line=$line$(openssl rand -hex 32) ;;
  esac
  printf '%s\n' "$line"
done <"$(dirname "$0")/compose.env.example"
