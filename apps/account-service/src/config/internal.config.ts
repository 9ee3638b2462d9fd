import { setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { setTogether } from './setting-rules.ts';

/** Callers that can have their own credential, and the routes for which it is valid. */
const ROUTES_BY_CALLER = {
  'fleet-api': ['revocations'],
  'website-api': ['introspection'],
  telemetry: ['introspection'],
} as const;

export type InternalRoute = (typeof ROUTES_BY_CALLER)[keyof typeof ROUTES_BY_CALLER][number];

/** Credential of a caller of the internal port. */
export interface ServiceCredential {
  secret: string;
  /** `all` for a credential that all services share. */
  routes: readonly InternalRoute[] | 'all';
}

const isCaller = (text: string): text is keyof typeof ROUTES_BY_CALLER =>
  Object.hasOwn(ROUTES_BY_CALLER, text);

export const internalSettings = {
  INTERNAL_PORT: setting.port(
    'port of the internal API for the other services; never expose it through an ingress',
    9091,
  ),
  INTERNAL_CREDENTIAL: z
    .string()
    .transform((text) => text.split(',').map(parseCredential))
    .refine((credentials): credentials is ServiceCredential[] => !credentials.includes(null))
    .describe(
      'secrets with which the other services authenticate on the internal port, separated by commas: each at least 32 ' +
        'random characters, for example from openssl rand -base64 32, alone for all services or after a name for one: ' +
        Object.keys(ROUTES_BY_CALLER)
          .map((caller) => `${caller}:<secret>`)
          .join(', '),
    ),
  INTERNAL_TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'certificate chain of the internal port in PEM; set it with INTERNAL_TLS_KEY_FILE to enable TLS',
    ),
  INTERNAL_TLS_KEY_FILE: z.string().optional().describe('private key of this certificate in PEM'),
};

export type InternalConfig = ReturnType<typeof internalConfig>;
/** Paths of PEM files. */
export type TlsFiles = NonNullable<InternalConfig['tls']>;

/** @throws {ConfigurationError} for a certificate without a key or the reverse */
export function internalConfig(settings: z.infer<z.ZodObject<typeof internalSettings>>) {
  const tls = setTogether(settings, 'INTERNAL_TLS_CERT_FILE', 'INTERNAL_TLS_KEY_FILE');
  const credentials: ServiceCredential[] = settings.INTERNAL_CREDENTIAL;
  return {
    port: settings.INTERNAL_PORT,
    credentials,
    /** Undefined for HTTP. */
    tls: tls && { certFile: tls.INTERNAL_TLS_CERT_FILE, keyFile: tls.INTERNAL_TLS_KEY_FILE },
  };
}

function parseCredential(text: string): ServiceCredential | null {
  const [, caller, secret = ''] = /^(?:([a-z-]+):)?(.*)$/.exec(text.trim()) ?? [];
  if (secret.length < 32 || (caller !== undefined && !isCaller(caller))) return null;
  return { secret, routes: caller === undefined ? 'all' : ROUTES_BY_CALLER[caller] };
}
