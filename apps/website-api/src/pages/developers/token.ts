import type { SiteConfig } from '../../config/site.config.ts';

/** The way from a person to a bearer token (contract, section 5). */
export function token({ accountUrl, docsUrl }: SiteConfig): string {
  return `## Get a token

People sign in with GitHub or Google, and only those whose mail domain belongs to an active customer.

1. Open this address in a browser, with a \`frontend_url\` that is on the service’s list:

   \`\`\`text
   ${accountUrl}/api/v1/auth/github?frontend_url=https://your-frontend.example
   \`\`\`

   For Google it is \`/auth/google\`; [\`/auth/methods\`](${accountUrl}/api/v1/auth/methods) lists what is enabled.
   After the prompt the browser comes back to \`<frontend_url>/auth/callback\`, with \`?code=…\`, or with \`?error=…\`
   that says why not, such as \`domain_not_allowed\`.

2. Exchange the code. It works once, within about 60 seconds, and \`redirect_uri\` has to be the same \`frontend_url\`;
   a failed attempt burns it.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/token \\
     -H 'Content-Type: application/json' -H 'Accept: application/json' \\
     -d '{"code": "AUTH_CODE", "redirect_uri": "https://your-frontend.example"}'
   \`\`\`

   \`\`\`json
   {
     "access_token": "eyJhbGciOiJFUzI1NiIs…",
     "refresh_token": "…",
     "token_type": "Bearer",
     "expires_in": 21600
   }
   \`\`\`

   Without that \`Accept\` header, a page on an allowed origin gets the session as cookies that no script can read.

3. Send \`Authorization: Bearer ACCESS_TOKEN\` with every call to the fleet data API and the account service. After six
   hours, get another one; the refresh token stays the same, and the session ends 24 hours after sign-in.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/refresh \\
     -H 'Content-Type: application/json' -H 'Accept: application/json' \\
     -d '{"refresh_token": "REFRESH_TOKEN"}'
   \`\`\`

4. Sign out when you are done. Both tokens stop working everywhere within two seconds.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/logout \\
     -H "Authorization: Bearer $ACCESS_TOKEN"
   \`\`\`

\`GET /me\` says who is signed in, \`GET /workspaces\` where and with which role. More is in the [guide](${docsUrl}).`;
}
