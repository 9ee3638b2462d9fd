import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { DAY_MS } from '@gpu-observatory/domain-types';
import type { DataDirectory } from '../data-directory.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

/** A certificate that expires earlier is replaced at the start. */
const MIN_REMAINING_DAYS = 30;

/** Returns the certificate of `--https`, which stays the same so that it can be trusted once. */
export function ensureCertificate({ certificateFile, certificateKeyFile }: DataDirectory): {
  key: string;
  cert: string;
} {
  if (!existsSync(certificateFile) || !existsSync(certificateKeyFile) || isExpiring(certificateFile)) {
    const { key, certificate } = selfSignedCertificate();
    writeFileSync(certificateKeyFile, key, { mode: 0o600 });
    writeFileSync(certificateFile, certificate, { mode: 0o600 });
  }
  return { key: readFileSync(certificateKeyFile, 'utf8'), cert: readFileSync(certificateFile, 'utf8') };
}

/** Makes the requests of this process accept the certificate, in addition to those of public authorities. */
export function trustCertificate(certificateFile: string): void {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificateFile, 'utf8')]);
}

function isExpiring(certificateFile: string): boolean {
  const { validToDate } = new X509Certificate(readFileSync(certificateFile));
  return validToDate.getTime() < Date.now() + MIN_REMAINING_DAYS * DAY_MS;
}
