/** Headers of every response, also of those that Node or the router sends before any hook runs. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  // Without subdomains: other teams may operate subdomains of the host without HTTPS.
  'strict-transport-security': 'max-age=31536000',
} as const;
