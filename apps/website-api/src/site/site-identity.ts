import { ApiProperty } from '@nestjs/swagger';
import type { SiteConfig } from '../config/site.config.ts';

export class SiteContact {
  @ApiProperty({ format: 'email', description: 'Email address of the operators.' })
  email!: string;
}

/** Name, description and contact of the site, shared by all pages and indexes. See docs/website-api.md#site. */
export class SiteIdentity {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'Description in one or two sentences.' })
  description!: string;

  @ApiProperty({ format: 'uri', description: 'URL of this site.' })
  url!: string;

  @ApiProperty({ format: 'uri', description: 'URL of the user guide.' })
  docs_url!: string;

  @ApiProperty({ type: SiteContact })
  contact!: SiteContact;

  @ApiProperty({ type: [String], description: 'Use cases, and what the service does not do.' })
  when_to_use!: string[];
}

export function siteIdentity({ siteUrl, docsUrl, contactEmail }: SiteConfig): SiteIdentity {
  return {
    name: 'GPU Observatory',
    description:
      'GPU Observatory monitors GPU fleets and the AI workloads on them at run time: security alerts from ' +
      'hosts, containers and control planes, the health of every GPU with the evidence for it, and fleet-wide metrics.',
    url: siteUrl,
    docs_url: docsUrl,
    contact: { email: contactEmail },
    when_to_use: [
      'You want to know which GPUs of your fleet are degraded, critical or missing right now, and the evidence for it.',
      'You triage security alerts on GPU hosts: container escapes, rogue eBPF programs, GPU ransomware, ' +
        'model poisoning, attacks on the control plane. Each alert comes with its timeline and the processes around it.',
      'You need counts, trends and metrics of a fleet for a report or a dashboard, without reading every alert.',
      'You write an agent, a script or a dashboard: the API returns JSON with fixed field names, ' +
        'described by OpenAPI 3.1.',
      'Not supported: sending telemetry, changing alerts or controlling GPUs. The fleet data API is read-only.',
    ],
  };
}
