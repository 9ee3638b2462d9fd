import { Readable } from 'node:stream';
import { Body, Controller, Get, Module, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { ApplicationOptions } from '../../src/http/create-application.ts';
import { sendLongBodiesInPieces } from '../../src/http/long-bodies.ts';
import {
  createApplication,
  DefersInputCheck,
  findMalformedInput,
  RejectedBody,
  WriteBuffer,
} from '../../src/index.ts';
import type { ErrorEnvelope } from '../../src/errors/envelopes.ts';
import { loggerOptions } from '../../src/logging/logger.ts';
import { Metrics, Readiness } from '../../src/monitoring.ts';
import { problemEnvelope } from '../../src/process.ts';

const SHARED_BODY = Buffer.alloc(5_000, 'text ');

let running = 0;
let mostRunning = 0;

/** Echoes the parameters and the body of each request. */
@Controller()
class EchoController {
  @Get('things')
  list(@Query() query: unknown) {
    return { query };
  }

  @Get('things::count')
  count() {
    return { count: 7 };
  }

  @Get('things/:id')
  one(@Param('id') id: string) {
    return { id };
  }

  @Post('things')
  create(@Body() body: unknown) {
    return { body: body ?? null };
  }

  @Post('deferred')
  @DefersInputCheck()
  checkInput(@Body() body: unknown, @Req() request: FastifyRequest) {
    if (body instanceof RejectedBody) return { text: body.text, rejection: body.rejection.message };
    return { problem: findMalformedInput(request), fields: Object.keys(Object(body) as object) };
  }

  @Get('who')
  who(@Req() request: FastifyRequest) {
    return { ip: request.ip, id: request.id };
  }

  /** Responds with this number of bytes, which are all the same letter. */
  @Get('bytes/:length')
  async bytes(@Param('length') length: string, @Query('letter') letter = 'x') {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return Buffer.alloc(Number(length), letter);
  }

  /** Responds with a text of this number of characters and the entity tag "1". */
  @Get('text/:length')
  text(
    @Param('length') length: string,
    @Query('cache') cache: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    void reply.type('text/plain').headers({ etag: '"1"', ...(cache && { 'cache-control': cache }) });
    return 'text '.repeat(Number(length) / 5);
  }

  /** The same as a stream. */
  @Get('stream/:length')
  stream(@Param('length') length: string, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply.type('text/plain').header('etag', '"1"');
    return Readable.from([this.text(length, undefined, reply)], { objectMode: false });
  }

  /** Fails after this number of bytes of a stream. */
  @Get('failing-stream/:length')
  failingStream(@Param('length') length: string, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply.type('text/csv').headers({
      etag: '"1"',
      'content-disposition': 'attachment',
      'x-data-as-of': '2026-11-21T00:00:00.000Z',
    });
    return Readable.from(failAfter(Number(length)), { objectMode: false });
  }

  /** Responds with the same bytes each time. */
  @Get('shared')
  shared(@Res({ passthrough: true }) reply: FastifyReply) {
    void reply.type('text/plain');
    return SHARED_BODY;
  }

  @Get('fails')
  fails() {
    throw new Error('internal detail');
  }
}

async function* failAfter(length: number): AsyncGenerator<Buffer> {
  if (length > 0) yield Buffer.alloc(length, 'x');
  await Promise.reject(new Error('internal detail'));
}

@Module({ controllers: [EchoController] })
class EchoModule {}

export interface EchoService {
  url: string;
  port: number;
  /** Parsed log lines. */
  lines: Record<string, unknown>[];
  readiness: Readiness;
  metrics: Metrics;
  /** Maximum number of concurrent requests for `bytes/:length` so far. */
  mostRunning(): number;
  close(): Promise<void>;
}

interface EchoOptions extends Partial<Omit<ApplicationOptions, 'config'>> {
  config?: Partial<ApplicationOptions['config']>;
  envelope?: ErrorEnvelope;
}

export async function startEchoService(options: EchoOptions = {}): Promise<EchoService> {
  mostRunning = 0;
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const readiness = new Readiness();
  const metrics = new Metrics('echo');
  const application = await createApplication({
    module: { module: EchoModule },
    envelope: problemEnvelope,
    logger: pino(loggerOptions('echo', 'info'), stream),
    readiness,
    metrics,
    writeBuffer: WriteBuffer.withMetrics({ total: 1e9, perOwner: 1e9 }, metrics),
    ...options,
    config: { trustedProxies: [], allowedOrigins: [], compressesResponses: true, ...options.config },
  });
  sendLongBodiesInPieces(application.getHttpAdapter().getInstance() as unknown as FastifyInstance);
  await application.listen(0, '127.0.0.1');
  const url = await application.getUrl();
  return {
    url,
    port: Number(new URL(url).port),
    lines,
    readiness,
    metrics,
    mostRunning: () => mostRunning,
    close: () => application.close(),
  };
}
