import { ApiProperty } from '@nestjs/swagger';
import type { SiteConfig } from '../config/site.config.ts';

export class SiteContact {
  @ApiProperty({ format: 'email', description: 'A mailbox that people read.' })
  email!: string;
}

/** What the site says of itself (decisions, section 4, Shapes). Every page and index takes its words from here. */
export class SiteIdentity {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'What the service is, in a sentence or two.' })
  description!: string;

  @ApiProperty({ format: 'uri', description: 'The address of this site.' })
  url!: string;

  @ApiProperty({ format: 'uri', description: 'The guide for people.' })
  docs_url!: string;

  @ApiProperty({ type: SiteContact })
  contact!: SiteContact;

  @ApiProperty({ type: [String], description: 'When to reach for the service, and when not to.' })
  when_to_use!: string[];
}

export function siteIdentity({ siteUrl, docsUrl, contactEmail }: SiteConfig): SiteIdentity {
  return {
    name: 'GPU Observatory',
    description:
      'GPU Observatory watches GPU fleets and the AI workloads on them while they run: security alerts from ' +
      'hosts, containers and control planes, the health of every GPU with the evidence for it, and fleet-wide metrics.',
    url: siteUrl,
    docs_url: docsUrl,
    contact: { email: contactEmail },
    when_to_use: [
      'You want to know which GPUs of your fleet are degraded, critical or missing right now, and which reading says so.',
      'You triage security alerts on GPU hosts: container escapes, rogue eBPF programs, GPU ransomware, ' +
        'model poisoning, attacks on the control plane. Each alert comes with its timeline and the processes around it.',
      'You need counts, trends and metrics of a fleet for a report or a dashboard, without reading every alert.',
      'You write an agent, a script or a dashboard that reads what people see: JSON with fixed field names, ' +
        'described by OpenAPI 3.1.',
      'Look elsewhere to send telemetry, to change an alert or to control a GPU: the fleet data API only reads.',
    ],
  };
}
