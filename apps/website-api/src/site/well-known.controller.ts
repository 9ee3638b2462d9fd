import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DAY_MS } from '@gpu-observatory/domain-types';
import { Representation } from '@gpu-observatory/service-runtime';
import { assetNamed } from '../assets/assets.ts';
import { WebsiteConfig } from '../config/website.config.ts';

/** RFC 9116 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

/** `/favicon.ico` and `/.well-known/security.txt`, which clients request without a link. */
@ApiExcludeController()
@Controller()
export class WellKnownController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get('favicon.ico')
  getIcon(): Representation {
    return assetNamed('favicon.ico').representation;
  }

  /** Whom to tell about a vulnerability (RFC 9116). */
  @Get('.well-known/security.txt')
  getSecurityTxt(): Representation {
    const { contactEmail, siteUrl } = this.config.site;
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: mailto:${contactEmail}`,
      `Expires: ${new Date(today + SECURITY_TXT_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${siteUrl}/.well-known/security.txt`,
    ];
    return new Representation('text/plain; charset=utf-8', lines.map((line) => `${line}\n`).join(''));
  }
}
