import { use } from 'react';
import { formatExact } from '../data/format.ts';
import { TimeZoneContext } from './time.tsx';

const RFC_3339_UTC = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** The evidence of a health rule, which is a sentence of the API, with its times in the time zone of the user. */
export function HealthEvidence({ text }: { text: string }) {
  const zone = use(TimeZoneContext);
  return <bdi>{text.replace(RFC_3339_UTC, (time) => formatExact(Date.parse(time), zone))}</bdi>;
}
