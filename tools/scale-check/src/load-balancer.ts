import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from './server.ts';

/** A port of the load balancer with its servers. */
interface Backend {
  name: string;
  port: number;
  servers: readonly { name: string; port: number; managementPort?: number }[];
}

/**
 * Starts HAProxy with a port with TLS for each service, each with the ready processes of its service; a port for each service
 * that others call, as a Kubernetes Service has; and one port for all standbys.
 *
 * @param certificate PEM with key and certificate
 * @returns a function that stops it
 */
export async function startLoadBalancer(options: {
  folder: string;
  certificate: string;
  publicPorts: readonly Backend[];
  internalPorts: readonly Backend[];
  standbys: Backend;
}): Promise<() => Promise<void>> {
  const { folder, publicPorts, internalPorts, standbys } = options;
  const certificateFile = join(folder, 'haproxy.pem');
  await writeFile(certificateFile, options.certificate, { mode: 0o600 });
  const settings = join(folder, 'haproxy.cfg');
  await writeFile(
    settings,
    `
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
  # For connections that a stopping server closed before it read the request.
  retry-on conn-failure empty-response
  default-server inter 500ms fall 1 rise 1

${publicPorts.map((backend) => publicPort(backend, certificateFile)).join('\n')}
${internalPorts.map((backend) => servicePort(backend)).join('\n')}

listen standbys
  mode tcp
  bind 127.0.0.1:${standbys.port}
  timeout client 1h
  timeout server 1h
  balance leastconn
  option pgsql-check user postgres
${standbys.servers.map(({ name, port }) => `  server ${name} 127.0.0.1:${port} check on-marked-down shutdown-sessions`).join('\n')}
`,
    { mode: 0o600 },
  );
  return startServer('haproxy', ['-db', '-f', settings], { port: publicPorts[0]!.port, logs: folder });
}

function publicPort(backend: Backend, certificateFile: string): string {
  return `${servicePort(backend, ` ssl crt ${certificateFile} alpn h2,http/1.1`)}
  option forwardfor
  http-request set-header X-Forwarded-Proto https
  http-request disable-l7-retry unless METH_GET
  http-response set-header X-Served-By %s
`;
}

function servicePort({ name, port, servers }: Backend, tls = ''): string {
  return `listen ${name}
  bind 127.0.0.1:${port}${tls}
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
${servers.map((server) => `  server ${server.name} 127.0.0.1:${server.port} check port ${server.managementPort}`).join('\n')}
`;
}
