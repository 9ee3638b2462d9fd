import { execFile } from 'node:child_process';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerUser } from '@gpu-observatory/embedded-database';
import { Server } from './server.ts';

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
  /** The certificate of the three hostnames, in PEM. */
  certificate: string;
}

/** A port for calls between services, as a Kubernetes Service has. */
export interface InternalPort {
  name: string;
  port: number;
  replicas: Replica[];
}

/** One port for all standbys. */
export interface StandbyPool {
  port: number;
  servers: { name: string; port: number }[];
}

/**
 * Starts HAProxy with three hostnames over TLS on one port, each with the ready replicas of its service; a port for each
 * service that others call; and one port for all standbys.
 */
export async function startLoadBalancer(options: {
  program: string;
  openssl: string;
  folder: string;
  user: ServerUser | undefined;
  port: number;
  backends: Backend[];
  internalPorts: InternalPort[];
  standbys: StandbyPool;
}): Promise<LoadBalancer> {
  const { program, folder, user, port } = options;
  const certificate = await createCertificate(
    options.openssl,
    folder,
    options.backends.map(({ hostname }) => hostname),
  );
  const settings = join(folder, 'haproxy.cfg');
  await writeFile(settings, haproxySettings({ ...options, pem: certificate.pemFile }), { mode: 0o600 });
  for (const file of [settings, certificate.pemFile]) if (user) await chown(file, user.uid, user.gid);
  const server = new Server({
    name: 'haproxy',
    program,
    args: ['-db', '-f', settings],
    port,
    folder,
    user,
  });
  await server.waitUntilListening();
  return { server, certificate: certificate.text };
}

function haproxySettings({
  port,
  pem,
  backends,
  internalPorts,
  standbys,
}: {
  port: number;
  pem: string;
  backends: Backend[];
  internalPorts: InternalPort[];
  standbys: StandbyPool;
}): string {
  const readinessCheck = 'option httpchk GET /readyz\n  http-check expect status 200';
  const check = 'inter 500ms fall 1 rise 1';
  const servers = (replicas: Replica[]) =>
    replicas
      .map(
        ({ name, port: replicaPort, managementPort }) =>
          `  server ${name} 127.0.0.1:${replicaPort} check port ${managementPort} ${check}`,
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
  # For connections that a stopping server closed before it read the request. Each backend disables
  # retries for methods other than GET.
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
  ${readinessCheck}
  http-response set-header X-Served-By %s
${servers(replicas)}`,
  )
  .join('\n\n')}

${internalPorts
  .map(
    ({ name, port: internalPort, replicas }) => `listen ${name}
  bind 127.0.0.1:${internalPort}
  ${readinessCheck}
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
${standbys.servers.map(({ name, port: standbyPort }) => `  server ${name} 127.0.0.1:${standbyPort} check ${check} on-marked-down shutdown-sessions`).join('\n')}
`;
}

/** Creates a self-signed certificate for the hostnames. HAProxy needs key and certificate in one file. */
async function createCertificate(openssl: string, folder: string, hostnames: string[]) {
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
