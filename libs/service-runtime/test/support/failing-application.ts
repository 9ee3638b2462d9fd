import 'reflect-metadata';
import { BadRequestException, Body, Controller, Get, HttpException, Module, Post, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import type { UnknownPathHandler } from '../../src/errors/error-filter.ts';
import { ErrorFilter } from '../../src/index.ts';
import type { ErrorEnvelope } from '../../src/errors/envelopes.ts';
import { DependencyUnavailable, DomainError, type ErrorKind } from '../../src/process.ts';

const teapot: ErrorKind = { code: 'teapot', status: 418 };

/** Throws every kind of error that a service can throw. */
@Controller()
class FailingController {
  @Get('domain-error')
  domainError() {
    throw new DomainError(teapot, 'Short and stout.', {
      headers: { 'retry-after': '7' },
      cause: new Error('tipped over'),
    });
  }

  @Get('unavailable')
  unavailable() {
    throw new DependencyUnavailable('the database', new Error('connect ECONNREFUSED 10.0.0.7'));
  }

  @Get('broken')
  broken(@Res({ passthrough: true }) reply: FastifyReply) {
    reply.header('cache-control', 'public, max-age=60').type('text/markdown');
    throw new Error('password hunter2 in line 3');
  }

  @Get('foreign-status')
  foreignStatus() {
    throw Object.assign(new Error('the other service returned 404'), { statusCode: 404 });
  }

  @Get('validated')
  validated() {
    throw new BadRequestException(['sort must be one of a, b', 'limit must be an integer']);
  }

  @Get('framework-5xx')
  framework5xx() {
    throw new HttpException('disk /dev/sda is full', 507);
  }

  @Get('half-way')
  halfWay(@Res() reply: FastifyReply) {
    reply.raw.writeHead(200, { 'content-length': '100' });
    reply.raw.write('begun');
    throw new Error('broke half-way');
  }

  @Post('bodies')
  bodies(@Body() body: unknown) {
    return { body };
  }
}

@Module({ controllers: [FailingController] })
class FailingModule {}

export interface FailingApplication {
  url: string;
  /** Parsed log lines. */
  lines: Record<string, unknown>[];
  close(): Promise<void>;
}

export async function startFailingApplication(
  envelope: ErrorEnvelope,
  unknownPathHandler?: UnknownPathHandler,
): Promise<FailingApplication> {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const adapter = new FastifyAdapter({ bodyLimit: 1_000, logger: { stream } });
  const application = await NestFactory.create<NestFastifyApplication>(FailingModule, adapter, {
    logger: false,
  });
  application.useGlobalFilters(new ErrorFilter(envelope, unknownPathHandler));
  await application.listen(0, '127.0.0.1');
  return { url: await application.getUrl(), lines, close: () => application.close() };
}
