import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { FRONTEND_URL } from './running-account-service.ts';

/** The service, one process of it or several. */
interface Service {
  url: string;
  get(path: string, accessToken?: string, headers?: Record<string, string>): Promise<Response>;
}

/** A sign-in taken apart: what the browser got at the start, and its return from the provider. */
export interface SignInLeg {
  /** Where the service sent the browser. */
  authorizationUrl: URL;
  cookie: string;
  state: string;
}

export async function beginSignIn(
  service: Service,
  provider: 'github' | 'google' = 'github',
  cookie?: string,
): Promise<SignInLeg> {
  const answer = await service.get(
    `/api/v1/auth/${provider}?frontend_url=${encodeURIComponent(FRONTEND_URL)}`,
    undefined,
    cookie === undefined ? {} : { cookie },
  );
  if (answer.status !== 302) throw new Error(`the start answered ${answer.status}: ${await answer.text()}`);
  const authorizationUrl = new URL(answer.headers.get('location') as string);
  return {
    authorizationUrl,
    cookie: (answer.headers.getSetCookie()[0] as string).split(';')[0] as string,
    state: authorizationUrl.searchParams.get('state') as string,
  };
}

/** Picks the account at the provider; the address it would send the browser back to, not opened. */
export async function approve(service: Pick<Service, 'url'>, leg: SignInLeg, email: string): Promise<URL> {
  return signInWithoutBrowser(leg.authorizationUrl, email, { frontendOrigin: new URL(service.url).origin });
}

/** Opens an address of the service as a browser with this cookie. */
export function openCallback(callback: URL, cookie?: string, accept = 'text/html'): Promise<Response> {
  return fetch(callback, {
    redirect: 'manual',
    headers: { accept, ...(cookie !== undefined && { cookie }) },
  });
}
