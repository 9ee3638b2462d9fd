import { ApiProperty } from '@nestjs/swagger';
import { fleetFailures } from '@gpu-observatory/error-envelopes';
import { failureAnswersOf } from '@gpu-observatory/service-runtime';

/** Every failure's body (contract 7.1). */
export class Failure {
  @ApiProperty({ description: 'What failed, a code of the catalogue.' })
  error!: string;
  @ApiProperty({ description: 'What is wrong and what would be right.' })
  message!: string;
}

/** Documents which failures of the catalogue a route may answer, and those that every route may. */
export const FailureAnswers = failureAnswersOf(fleetFailures, { type: Failure, codeField: 'error' }, [
  'invalidQuery',
  'unauthorized',
  'tooManyRequests',
  'internalServerError',
  'upstreamError',
]);
