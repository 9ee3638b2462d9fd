import { execFile } from 'node:child_process';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, Server } from './server.ts';

/** One process of a service. */
export interface Replica {
  name: string;
  port: number;
  managementPort: number;
}

export interface Backend {
  hostname: string;
  replicas: Replica[];
}

export interface LoadBalancer {
  server: Server;
  /** The certificate that the three hostnames have, in PEM. */
  certificate: string;
}

/** Where a service answers inside, as a cluster's Service does. */
export interface InsidePort {
  name: string;
  port: number;
  replicas: Replica[];
}

/** One address for all standbys. */
export interface StandbysPort {
  port: number;
  servers: { name: string; port: number }[];
}

/**
 * HAProxy: three hostnames with TLS on one port, each over the ready ones of its replicas; a port inside for each
 * service that others call; and one address for all standbys that stream.
 */
export async function startLoadBalancer(options: {
  program: string;
  openssl: string;
  folder: string;
  account: Account | undefined;
  port: number;
  backends: Backend[];
  inside: InsidePort[];
  standbys: StandbysPort;
}): Promise<LoadBalancer> {
  const { program, folder, account, port } = options;
  const certificate = await makeCertificate(
    options.openssl,
    folder,
    options.backends.map(({ hostname }) => hostname),
  );
  const settings = join(folder, 'haproxy.cfg');
  await writeFile(settings, haproxySettings({ ...options, pem: certificate.pemFile }), { mode: 0o600 });
  for (const file of [settings, certificate.pemFile])
    if (account) await chown(file, account.uid, account.gid);
  const server = new Server({
    name: 'haproxy',
    program,
    args: ['-db', '-f', settings],
    port,
    folder,
    account,
  });
  await server.untilListens();
  return { server, certificate: certificate.text };
}

export function haproxySettings({
  port,
  pem,
  backends,
  inside,
  standbys,
}: {
  port: number;
  pem: string;
  backends: Backend[];
  inside: InsidePort[];
  standbys: StandbysPort;
}): string {
  const ready = 'option httpchk GET /readyz\n  http-check expect status 200';
  const check = 'inter 500ms fall 1 rise 1';
  const servers = (replicas: Replica[]) =>
    replicas
      .map(
        ({ name, port: at, managementPort }) =>
          `  server ${name} 127.0.0.1:${at} check port ${managementPort} ${check}`,
      )
      .join('\n');
  return `
global
  maxconn 2000

defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 1s
  option redispatch 1
  retries 3
  # A connection that a stopping server closed before it read the request; each backend keeps it
  # to what may be asked twice.
  retry-on conn-failure empty-response

frontend public
  bind 127.0.0.1:${port} ssl crt ${pem} alpn h2,http/1.1
  option forwardfor
  http-request set-header X-Forwarded-Proto https
${backends.map(({ hostname }) => `  use_backend ${hostname} if { req.hdr(host),field(1,:) -m str ${hostname} }`).join('\n')}

${backends
  .map(
    ({ hostname, replicas }) => `backend ${hostname}
  balance roundrobin
  http-request disable-l7-retry unless METH_GET
  ${ready}
  http-response set-header X-Served-By %s
${servers(replicas)}`,
  )
  .join('\n\n')}

${inside
  .map(
    ({ name, port: at, replicas }) => `listen ${name}
  bind 127.0.0.1:${at}
  ${ready}
${servers(replicas)}`,
  )
  .join('\n\n')}

listen standbys
  mode tcp
  bind 127.0.0.1:${standbys.port}
  timeout client 1h
  timeout server 1h
  balance leastconn
  option pgsql-check user postgres
${standbys.servers.map(({ name, port: at }) => `  server ${name} 127.0.0.1:${at} check ${check} on-marked-down shutdown-sessions`).join('\n')}
`;
}

/** A certificate of its own for the hostnames, key and certificate in one file as HAProxy wants it. */
async function makeCertificate(openssl: string, folder: string, hostnames: string[]) {
  const [key, crt, pemFile] = ['tls.key', 'tls.crt', 'tls.pem'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  await promisify(execFile)(openssl, [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${hostnames[0]}`, '-keyout', key, '-out', crt],
    ...['-addext', `subjectAltName=${hostnames.map((name) => `DNS:${name}`).join(',')}`],
  ]);
  const text = await readFile(crt, 'utf8');
  await writeFile(pemFile, `${await readFile(key, 'utf8')}${text}`, { mode: 0o600 });
  return { pemFile, text };
}
