import { createOperations, operationsSettings } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { migrations } from '../migrations/index.ts';
import { websiteSettings } from './config/website.config.ts';
import { contactCommand } from './contact/contact.command.ts';
import { contentCommand } from './content/content.command.ts';

/** Builds the operations CLI of website-api. */
export const websiteOperations = (): Command =>
  createOperations({
    name: 'website-api',
    schema: 'website',
    migrations,
    settings: { ...websiteSettings, ...operationsSettings },
    runtimeUrlVariables: ['DATABASE_URL'],
  })
    .addCommand(contentCommand())
    .addCommand(contactCommand());
