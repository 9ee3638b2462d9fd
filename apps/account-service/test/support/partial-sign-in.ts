import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { FRONTEND_URL } from './running-account-service.ts';

interface Service {
  url: string;
  get(path: string, accessToken?: string, headers?: Record<string, string>): Promise<Response>;
}

/** Sign-in that has been started: state of the browser before it visits the provider. */
export interface StartedSignIn {
  /** Redirect of the service to the provider. */
  authorizationUrl: URL;
  cookie: string;
  state: string;
}

export async function beginSignIn(
  service: Service,
  provider: 'github' | 'google' | 'oidc' = 'github',
  cookie?: string,
  parameters: Record<string, string> = {},
): Promise<StartedSignIn> {
  const response = await service.get(
    `/api/v1/auth/${provider}?${new URLSearchParams({ frontend_url: FRONTEND_URL, ...parameters })}`,
    undefined,
    cookie === undefined ? {} : { cookie },
  );
  if (response.status !== 302)
    throw new Error(`the start responded ${response.status}: ${await response.text()}`);
  const authorizationUrl = new URL(response.headers.get('location') as string);
  return {
    authorizationUrl,
    cookie: (response.headers.getSetCookie()[0] as string).split(';')[0] as string,
    state: authorizationUrl.searchParams.get('state') as string,
  };
}

/** Approves the sign-in at the provider. Returns the callback URL without opening it. */
export async function approve(
  service: Pick<Service, 'url'>,
  attempt: StartedSignIn,
  email: string,
): Promise<URL> {
  return signInWithoutBrowser(attempt.authorizationUrl, email, {
    frontendOrigin: new URL(service.url).origin,
  });
}

/** Opens the callback like a browser with this cookie. */
export function openCallback(callback: URL, cookie?: string, accept = 'text/html'): Promise<Response> {
  return fetch(callback, {
    redirect: 'manual',
    headers: { accept, ...(cookie !== undefined && { cookie }) },
  });
}
