import type { SiteConfig } from '../../config/site.config.ts';

/** Section on getting a token: sign-in, token exchange, refresh and sign-out, see docs/signing-in.md. */
export function tokenSection({ accountUrl, docsUrl, siteUrl }: SiteConfig): string {
  return `## Get a token

Sign in with GitHub or Google. Your mail domain must belong to an active customer.

1. Open this URL in a browser, with an allowed \`frontend_url\`:

   \`\`\`text
   ${accountUrl}/api/v1/auth/github?frontend_url=https://app.example
   \`\`\`

   A frontend adds \`code_challenge\` (PKCE, S256), and the \`code_verifier\` to the exchange, so that no other code is
   accepted.

   For Google, use \`/auth/google\`. [\`/auth/methods\`](${accountUrl}/api/v1/auth/methods) lists the enabled methods.
   The browser is redirected to \`<frontend_url>/auth/callback\` with \`?code=…\`, or with \`?error=…\` and the reason, for
   example \`domain_not_allowed\`.

2. Exchange the code within 60 seconds. \`redirect_uri\` must equal the \`frontend_url\`. The code is single use: a failed
   attempt invalidates it.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/token \\
     -H 'Content-Type: application/json' -H 'Accept: application/json' \\
     -d '{"code": "AUTH_CODE", "redirect_uri": "https://app.example"}'
   \`\`\`

   \`\`\`json
   {
     "access_token": "eyJhbGciOiJFUzI1NiIs…",
     "refresh_token": "…",
     "token_type": "Bearer",
     "expires_in": 21600
   }
   \`\`\`

   Without that \`Accept\` header, a page on an allowed origin gets the session as HttpOnly cookies.

3. Send \`Authorization: Bearer ACCESS_TOKEN\` with every call to the fleet data API and the account service. The access
   token expires after 6 hours. Refresh it with the refresh token, which does not change. The session ends 24 hours
   after sign-in.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/refresh \\
     -H 'Content-Type: application/json' -H 'Accept: application/json' \\
     -d '{"refresh_token": "REFRESH_TOKEN"}'
   \`\`\`

4. Sign out. Both tokens stop working within 2 seconds.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/logout \\
     -H "Authorization: Bearer $ACCESS_TOKEN"
   \`\`\`

\`GET /me\` returns the signed-in user. \`GET /workspaces\` returns the user's workspaces and roles.${
    docsUrl === `${siteUrl}/developers` ? '' : ` See also the [guide](${docsUrl}).`
  }`;
}
